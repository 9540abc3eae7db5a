import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Rendered, Values } from '@hnotif/helm';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHART_KIND_CRDS, STAND_IN, withStandIns } from './support/chart-kinds.ts';
import { type Pod, renderingOf } from './support/chart.ts';
import { NO_KUBECTL } from './support/kubectl.ts';
import { LOOPBACK_FLAGS } from '../../lab/src/loopback.ts';
import { type Block, blocksBelow, commandsIn, fileNameOf, readPage, ROOT } from './support/page.ts';
import { AT_ANY_PORT, hnotif, type Run } from './support/process.ts';
import { World } from './support/world.ts';
import { temporary } from './support/temporary.ts';

const PAGE = await readPage('docs/install.md');
const blocksOf = (heading: string): readonly Block[] => blocksBelow(PAGE, heading);

/** The blocks that a reader has followed. */
const followed = new Set<string>();

/**
 * A reader of the page, in a checkout with a cluster. All commands run as they are written, but for these:
 * - `npm ci && npm run build`: the checkout has its packages and its bundle.
 * - `helm` is not installed: the chart is rendered by packages/helm, and kubectl sends or deletes the objects.
 * - The plane has no Deployments: kubectl sends stand-ins of the kinds that are missing.
 * - `kubectl rollout status` starts the controller with the arguments, the environment and the account of the Deployment that the
 *   plane has. It gets flags that let it send to this machine.
 */
class Reader {
  readonly #world: World;
  readonly #folder: string;
  readonly #env: Record<string, string>;
  readonly #address: string;
  #values: readonly Values[] = [];
  #run: Run | undefined;

  private constructor(world: World, folder: string, env: Record<string, string>, address: string) {
    this.#world = world;
    this.#folder = folder;
    this.#env = env;
    this.#address = address;
  }

  /** @param address of the incoming webhook, in place of the page's */
  static async start(world: World, address: string): Promise<Reader> {
    const folder = await temporary();
    for (const name of ['deploy', 'packages']) await symlink(join(ROOT, name), join(folder, name));
    const token = world.cluster.users.token('admin', { groups: ['system:masters'] });
    const kubeconfig = await world.file('admin', world.cluster.kubeconfig({ token }));
    await world.installCrds(CHART_KIND_CRDS);
    const env = { PATH: process.env.PATH ?? '', HOME: folder, KUBECONFIG: kubeconfig };
    return new Reader(world, folder, env, address);
  }

  /** Does what blocks say: writes files, and runs commands. */
  async follow(blocks: readonly Block[]): Promise<void> {
    for (const block of blocks) {
      if (block.language === 'yaml') await this.#write(block);
      else for (const line of block.text.trim().split('\n')) await this.#do(line);
      followed.add(block.text);
    }
  }

  async sh(command: string): Promise<string> {
    const { stdout } = await promisify(execFile)('/bin/sh', ['-ec', command], {
      cwd: this.#folder,
      env: this.#env,
    });
    return stdout;
  }

  async #write(block: Block): Promise<void> {
    const path = join(this.#folder, fileNameOf(block));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(
      path,
      block.text.replace('https://hooks.slack.com/services/T000/B000/XXXX', this.#address),
    );
  }

  async #do(line: string): Promise<void> {
    const [program, verb = '', ...words] = line.split(' ');
    const flags = words.filter((word) => word.startsWith('--'));
    const rest = words.filter((word) => !word.startsWith('--'));
    if (line === 'npm ci && npm run build') return;
    if (program === 'helm') return this.#helm(verb, words);
    if (program === 'kubectl' && verb === 'rollout') return this.#rollout(words);
    if (program === 'kubectl' && rest[0] === '-k')
      return this.#send(verb, await this.sh(`kubectl kustomize ${rest[1]}`), flags);
    if (program === 'kubectl' && rest[0] === '-f' && rest.includes('hnotif.yaml')) {
      const files = rest.filter((word) => word !== '-f');
      const texts = await Promise.all(files.map((file) => readFile(join(this.#folder, file), 'utf8')));
      return this.#send(verb, texts.join('\n---\n'), flags);
    }
    await this.sh(line);
  }

  /** `kubectl apply` or `delete` with stand-ins. */
  async #send(verb: string, text: string, flags: readonly string[] = []): Promise<void> {
    expect(['apply', 'delete']).toContain(verb);
    if (verb === 'delete') await this.#stop();
    await writeFile(join(this.#folder, 'sent'), withStandIns(text));
    const strict = verb === 'apply' ? ['--validate=strict'] : [];
    await this.sh(`kubectl ${[verb, ...flags, ...strict].join(' ')} -f sent`);
  }

  async #helm(verb: string, [release, ...words]: readonly string[]): Promise<void> {
    expect(['install', 'upgrade', 'uninstall']).toContain(verb);
    expect(release).toBe('hnotif');
    const { values: positional, tokens } = parseArgs({
      args: [...words],
      allowPositionals: true,
      tokens: true,
      options: {
        namespace: { type: 'string' },
        'create-namespace': { type: 'boolean' },
        values: { type: 'string', multiple: true },
      },
    });
    expect(positional.namespace).toBe('hnotif');
    const charts = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
    expect(charts).toEqual(verb === 'uninstall' ? [] : ['deploy/helm/hnotif']);
    if (verb !== 'uninstall')
      this.#values = await Promise.all((positional.values ?? []).map((file) => this.#read(file)));
    if (positional['create-namespace']) await this.sh('kubectl create namespace hnotif');
    const { files } = renderingOf({ values: {} }, ...this.#values);
    const kept = (file: Rendered): boolean =>
      verb === 'uninstall' &&
      file.docs.every(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'] === 'keep');
    const text = files.filter((file) => !kept(file)).map((file) => file.text);
    await this.#send(verb === 'uninstall' ? 'delete' : 'apply', text.join('\n---\n'));
  }

  async #read(file: string): Promise<Values> {
    return parse(await readFile(join(this.#folder, file), 'utf8')) as Values;
  }

  async #rollout(words: readonly string[]): Promise<void> {
    expect(words).toEqual(['status', 'deployment/hnotif', '--namespace', 'hnotif']);
    const { cluster } = this.#world;
    const text = await this.sh(
      `kubectl get deployments.apps.${STAND_IN} hnotif --namespace hnotif --output json`,
    );
    const { spec } = (JSON.parse(text) as { spec: { template: Pod } }).spec.template;
    const [{ args, env, image }] = spec.containers;
    expect(image).toMatch(/hnotif:0\.1\.0$/);
    const token = cluster.users.token(`system:serviceaccount:hnotif:${spec.serviceAccountName}`);
    this.#run = hnotif([...args, ...LOOPBACK_FLAGS, ...AT_ANY_PORT, '--lease-namespace=hnotif'], {
      ...Object.fromEntries(env.map(({ name, value = '' }) => [name, value])),
      KUBECONFIG: await this.#world.file('account', cluster.kubeconfig({ token })),
    });
    await this.#run.line(/"msg":"serving"/);
  }

  async #stop(): Promise<void> {
    this.#run?.kill('SIGTERM');
    await this.#run?.exit;
  }
}

const WAYS = ['Helm', 'kustomize', 'plain manifests'];

describe.skipIf(NO_KUBECTL !== '')(`docs/install.md${NO_KUBECTL && ` (skipped: ${NO_KUBECTL})`}`, () => {
  it.each(WAYS)('with %s goes from an empty cluster to the first message, and back', async (way) => {
    const world = await World.start({ crds: false, cluster: { tls: true, auth: true } });
    const chat = await world.teamchat();
    const reader = await Reader.start(world, chat.webhookUrl());
    await reader.follow(blocksOf(`### With ${way}`));
    await reader.follow(blocksOf('## The plans'));
    const first = blocksOf('## The first message');
    await reader.follow(first.slice(0, -1));
    const [record] = await chat.waitFor((records) => records.length > 0 && records);
    expect(JSON.stringify(record?.message)).toMatch(/Phase Change.*first.*payments/);
    await reader.follow(first.slice(-1));

    if (way === 'Helm')
      for (const heading of ['## Variants', '### Several teams']) await reader.follow(blocksOf(heading));
    const uninstall = blocksOf('## Uninstall');
    expect(uninstall).toHaveLength(WAYS.length + 1);
    await reader.follow(uninstall.slice(WAYS.indexOf(way), WAYS.indexOf(way) + 1));
    const left = async (kinds: string) => (await reader.sh(`kubectl get ${kinds} -A --output name`)).trim();
    const rights = await left('serviceaccounts,clusterroles,clusterrolebindings,roles,rolebindings');
    expect(rights).not.toMatch(/hnotif/);
    const crds = /hibernatenotification(journal)?s\.hibernation\.dev/;
    if (way === 'kustomize') expect(await left('crds')).not.toMatch(crds);
    else {
      expect(await left('crds')).toMatch(crds);
      await reader.follow(uninstall.slice(-1));
      expect(await left('crds')).not.toMatch(crds);
    }
  });

  it('leaves no block of commands out that is not marked', () => {
    const left = commandsIn(PAGE).filter(({ text, notRun }) => notRun === '' && !followed.has(text));
    expect(left.map(({ text }) => text)).toEqual([]);
  });
});

it.each([
  '### Some namespaces, without cluster-wide rights',
  '### The plans of another operator',
  '### Receivers in a private network',
  '### Prometheus and Grafana',
])('the values of %s are those of the chart', (heading) => {
  const blocks = blocksOf(heading);
  expect(blocks.map(({ language }) => language)).toEqual(['yaml']);
  for (const { text } of blocks) expect(() => renderingOf({ values: parse(text) as Values })).not.toThrow();
});
