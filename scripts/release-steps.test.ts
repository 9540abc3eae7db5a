import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import workspace from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const { version } = workspace;
const DIGEST = `sha256:${'5'.repeat(64)}`;

/** A program that notes its arguments, and does what a step needs of it. */
const stub = (name: string, does: string): string =>
  `#!/bin/sh\nfor each in "$@"; do printf '%s ' "$each" >>"$LOG/${name}"; done\necho >>"$LOG/${name}"\n${does}\n`;

const after = (option: string): string => `$(printf '%s\\n' "$@" | sed -n '/^${option}$/{n;p;}')`;

const STUBS: Readonly<Record<string, string>> = {
  docker: `case "$*" in
    *metadata-file*) printf '{\\n  "containerimage.digest": "${DIGEST}"\\n}' >"${after('--metadata-file')}" ;;
    login*) cat >"$LOG/password" ;;
    run*) echo '{"bomFormat":"CycloneDX"}' ;;
  esac`,
  cosign: '',
  helm: `case "$1" in
    package) cp "$2/values.yaml" "$2/Chart.yaml" "$LOG"; [ ! -L "$2/files/rules.yaml" ] && touch "${after('--destination')}/hnotif-${version}.tgz" ;;
    push) echo "Digest: ${DIGEST}" >&2 ;;
  esac`,
  npm: `case "$1" in
    view) exit 1 ;;
    pack)
      mkdir -p "$LOG/package/dist" && echo '{}' >"$LOG/package/dist/sbom.cdx.json"
      tar -czf "${after('--pack-destination')}/hnotif-${version}.tgz" -C "$LOG" package ;;
  esac`,
};

/** Runs a step of the release; its programs are stubs. */
async function step(name: string, more: Readonly<Record<string, string>> = {}, ...args: string[]) {
  const log = await mkdtemp(join(tmpdir(), 'hnotif-step-'));
  onTestFinished(() => rm(log, { recursive: true, force: true }));
  for (const [program, does] of Object.entries(STUBS))
    await writeFile(join(log, `${program}.stub`), stub(program, does), { mode: 0o755 });
  execFileSync('sh', ['-c', 'mkdir bin && for f in *.stub; do mv "$f" "bin/${f%.stub}"; done'], { cwd: log });
  const env = {
    PATH: `${join(log, 'bin')}:${process.env.PATH ?? ''}`,
    ...{ HOME: log, LOG: log, GITHUB_REF_NAME: `v${version}`, GITHUB_OUTPUT: join(log, 'output') },
    ...more,
  };
  const { status, stderr } = spawnSync(join(root, '.ci', name), args, { env, encoding: 'utf8', cwd: log });
  const text = (file: string): Promise<string> => readFile(join(log, file), 'utf8').catch(() => '');
  return { status, stderr, text, log };
}

const TO = { REGISTRY: 'registry.example.com/team', REGISTRY_USER: 'robot', REGISTRY_TOKEN: 'canary' };

describe.skipIf(process.platform === 'win32')('a release of a tag', () => {
  it('pushes the image for two architectures, signs its digest, and attaches the SBOM', async () => {
    const { status, text } = await step('release-image', TO);
    expect(status).toBe(0);
    const [login = '', , build = ''] = (await text('docker')).split('\n');
    expect(login).toBe('login --username robot --password-stdin registry.example.com ');
    expect([await text('password'), (await text('docker')).includes('canary')]).toEqual(['canary', false]);
    expect(build).toMatch(/--platform linux\/amd64,linux\/arm64 --provenance=mode=max --sbom=true /);
    expect(build).toContain(` --push --tag registry.example.com/team/hnotif:${version} .`);
    const image = `registry.example.com/team/hnotif@${DIGEST}`;
    expect((await text('cosign')).split('\n')).toEqual([
      `sign --yes ${image} `,
      expect.stringMatching(new RegExp(`^attest --yes --type cyclonedx --predicate \\S+ ${image} $`)),
      '',
    ]);
    expect(await text('output')).toBe(`digest=${DIGEST}\n`);
  });

  it('pushes the chart with the image of the registry, and signs it', async () => {
    const { status, text } = await step('release-chart', TO);
    expect(status).toBe(0);
    expect(parse(await text('values.yaml'))).toMatchObject({
      image: { repository: 'registry.example.com/team/hnotif', tag: '', digest: '' },
    });
    expect(await text('Chart.yaml')).toContain(`image: registry.example.com/team/hnotif:${version}`);
    expect(await text('helm')).toMatch(/\npush \S+ oci:\/\/registry\.example\.com\/team\/charts \n$/);
    expect(await text('cosign')).toBe(`sign --yes registry.example.com/team/charts/hnotif@${DIGEST} \n`);
  });

  it('publishes both npm packages', async () => {
    const { status, text } = await step('release-npm');
    expect(status).toBe(0);
    expect((await text('npm')).split('\n').filter((line) => line.startsWith('publish'))).toEqual([
      'publish --tag latest --workspace packages/hnotif ',
      'publish --tag latest packages/gotemplate/dist ',
    ]);
  });

  it('makes the files of its page: the archive for krew, with its checksum', async () => {
    const { status, stderr, text } = await step('release-page', { ...TO, DIGEST }, 'page');
    expect([status, stderr]).toEqual([0, '']);
    const sums = await text('page/SHA256SUMS');
    const [, sum = ''] = new RegExp(`^(\\w{64})  hnotif-${version}\\.tar\\.gz$`, 'm').exec(sums) ?? [];
    expect(await text('page/files/krew-hnotif.yaml')).toContain(`      sha256: '${sum}'\n`);
    expect(sums).toMatch(
      / {2}crds\.yaml\n.* {2}hnotif-\S+\n.* {2}krew-hnotif\.yaml\n.* {2}sbom\.cdx\.json\n$/,
    );
    expect(await text('page/notes.md')).toContain(`Image: \`registry.example.com/team/hnotif@${DIGEST}\``);
  });

  it.each([
    [
      'release-npm',
      { GITHUB_REF_NAME: 'v9.9.9' },
      /GITHUB_REF_NAME is 'v9\.9\.9', and the packages have the ver/,
    ],
    ['release-image', {}, /REGISTRY is empty; set the variable REGISTRY of the repository/],
  ])('%s with %j does nothing and says why', async (name, env, message) => {
    const { status, stderr, text } = await step(name, env);
    expect([status, await text('npm'), await text('docker')]).toEqual([1, '', '']);
    expect(stderr).toMatch(message);
  });
});
