import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, type Option } from 'commander';
import { expect, it, vi } from 'vitest';
import { addDevFlags } from '../src/cli/dev-flags.ts';
import { EXIT } from '../src/cli/exit.ts';
import { addRunFlags } from '../src/cli/flags.ts';
import { main } from '../src/cli/program.ts';
import { canariesIn, canary } from '../../lab/src/scenarios/redaction/canary.ts';
import { kubeconfigs } from '../../lab/src/scenarios/redaction/kubeconfigs.ts';
import { temporary } from './support/temporary.ts';

const encoded = encodeURIComponent;

/** What people give in the place of what is asked for, with a credential in it. */
const PASTED: Readonly<Record<string, (secret: string) => string>> = {
  'an address with a password': (secret) => `https://user:${encoded(secret)}@example.com`,
  'an address with a query': (secret) => `https://example.com/?key=${encoded(secret)}&a='b'`,
  'an address in the quotes of messages': (secret) => `https://me:x' is invalid. '${secret}@example.com'`,
  'an address of another scheme': (secret) => `socks5://user:${encoded(secret)}@example.com`,
  'an address without a scheme': (secret) => `user:${secret}@example.com:8080`,
  'a key': (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`,
  'a kubeconfig': (secret) =>
    `apiVersion: v1\nusers:\n- name: me\n  user:\n    token: ${secret}\n    server: https://x:443`,
  'a list of addresses': (secret) => `10.0.0.0/8,https://user:${encoded(secret)}@example.com`,
};

interface Told {
  readonly exit: number;
  readonly text: string;
}

/** The command line in this process; it must end by itself. */
async function told(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Told> {
  const written: string[] = [];
  const catching = (chunk: unknown): boolean => written.push(String(chunk)) > 0;
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(catching),
    vi.spyOn(process.stderr, 'write').mockImplementation(catching),
  ];
  const all = { KUBECONFIG: '/nonexistent/kubeconfig', ...env };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
  try {
    const exit = await main(args);
    return { exit, text: written.join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}

const leaksOf = (what: string, { text }: Told): string[] =>
  canariesIn(text).map((found) => `${what}: ${found} in ${text.slice(0, 400)}`);

const flagsOf = (command: Command): readonly Option[] => command.options;

it('run and dev show no credential that is passed in one of their flags, or in its environment variable', async () => {
  const leaks: string[] = [];
  const tried = new Set<string>();
  for (const [command, flags] of [
    ['run', flagsOf(addRunFlags(new Command()))],
    ['dev', flagsOf(addDevFlags(new Command()))],
  ] as const)
    for (const flag of flags) {
      const { long = '', envVar } = flag;
      // `--examples` names a folder, and dev is not loaded before the other flags are good.
      if (long === '--examples') continue;
      for (const [kind, of] of Object.entries(PASTED)) {
        const value = of(canary.text(long));
        const what = `${command} ${long} is ${kind}`;
        const withFlag = await told([command, `${long}=${value}`]);
        tried.add(`${withFlag.exit === EXIT.ok ? 'runs: ' : ''}${what}`);
        leaks.push(
          ...leaksOf(what, withFlag),
          ...leaksOf(`${what}, apart`, await told([command, long, value])),
        );
        if (envVar !== undefined)
          leaks.push(...leaksOf(`${envVar} is ${kind}`, await told([command], { [envVar]: value })));
      }
    }
  for (const flag of ['--chat-api-url', '--bot-api-url']) {
    const token = `xoxb-${canary.word(flag)}`;
    leaks.push(...leaksOf(`${flag} is a token`, await told(['run', `${flag}=${token}`])));
  }
  expect(leaks).toEqual([]);
  expect([...tried].filter((what) => what.startsWith('runs: '))).toEqual([]);
  expect(tried.size).toBeGreaterThan(150);
});

it('run and dev show no credential that is passed in an unknown flag, or in the environment', async () => {
  const secret = canary.text('unknown');
  const word = canary.word('unknown');
  const proxies = Object.values(PASTED).map((of) => of(canary.text('proxy')));
  const cases: [args: string[], env?: Record<string, string>][] = [
    [['run', `--token=${secret}`]],
    [['run', '--token', secret]],
    [['run', `--token=a\n${secret}`]],
    [['run', `-p${word}`]],
    [['run', secret]],
    [['run', '--kubeconfig', '/nonexistent', secret]],
    [['crds', secret]],
    [['template', '/nonexistent', secret]],
    [['template', `--token=${secret}`, '/nonexistent']],
    [['run'], { HNOTIF_ALLOW_INSECURE_HTTP: secret }],
    ...Object.values(PASTED).map((of): [string[], Record<string, string>] => [
      ['run'],
      { KUBECONFIG: of(canary.text('KUBECONFIG')) },
    ]),
    ...['HTTPS_PROXY', 'https_proxy', 'NO_PROXY'].flatMap((name) =>
      [...proxies, `http://user:${word}%@127.0.0.1:1`, `http://user:${word}@[::1`, `%${word}`].map(
        (value): [string[], Record<string, string>] => [['run'], { [name]: value }],
      ),
    ),
  ];
  const leaks: string[] = [];
  for (const [args, env] of cases) {
    const answer = await told(args, env);
    expect(answer.exit, answer.text).not.toBe(EXIT.ok);
    expect(answer.text).not.toBe('');
    leaks.push(...leaksOf(JSON.stringify([args, env]), answer));
  }
  expect(leaks).toEqual([]);
});

it('run shows nothing of a kubeconfig with which it cannot start', async () => {
  const folder = await temporary();
  const file = join(folder, 'kubeconfig');
  const leaks: string[] = [];
  // The others start, and are told with the errors of the cluster.
  const broken = kubeconfigs().filter(({ name }) =>
    /is an? (?:object|list)$|^cut at|^user\.client-key is a key$/.test(name),
  );
  for (const { name, text } of broken) {
    await writeFile(file, text);
    const answer = await told(['run', '--kubeconfig', file]);
    expect(answer.exit, `${name}: ${answer.text}`).toBe(EXIT.failed);
    leaks.push(...leaksOf(name, answer));
  }
  expect(leaks).toEqual([]);
  expect(broken.length).toBeGreaterThan(50);
});

it('template shows nothing of the environment, with any template', async () => {
  const folder = await temporary();
  const file = join(folder, 'file.tmpl');
  const templates = [
    '{{ env "SECRET" }}',
    '{{ expandenv "$SECRET" }}',
    '{{ getHostByName "x" }}',
    '{{ . }}{{ toJson . }}{{ .Plan }}{{ printf "%#v" . }}',
    '{{ .SECRET }}',
    '{{ fail .Plan.Name }}',
    '{{ if }}',
    '{{ index .Targets 99 }}',
    '{{ range $k, $v := . }}{{ $k }}{{ $v }}{{ end }}',
    '{{ (index . "constructor").process.env.SECRET }}',
    '{{ .constructor }}{{ .__proto__ }}',
    '{{ repeat 999999999 .Event }}',
  ];
  const leaks: string[] = [];
  for (const text of templates)
    for (const flags of [[], ['--sink-type=webhook'], ['--sink-type=botchat']]) {
      await writeFile(file, text);
      const answer = await told(['template', file, ...flags], {
        SECRET: canary.text('env'),
        HTTPS_PROXY: `http://user:${canary.word('proxy')}@127.0.0.1:1`,
      });
      expect(answer.text).not.toBe('');
      leaks.push(...leaksOf(text, answer));
    }
  expect(leaks).toEqual([]);
});
