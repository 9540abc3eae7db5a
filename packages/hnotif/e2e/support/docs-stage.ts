import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startMsteamsReceiver } from '@hnotif/receivers';
import { onTestFinished, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { eventually } from '../../../core/src/testing/eventually.ts';
import { ALL } from '../../../lab/src/nights.ts';
import { collection } from '../../../lab/src/objects.ts';
import { plainCommand, type Answer } from './command.ts';
import { blocksIn, readPage } from './page.ts';
import { BUNDLE } from './process.ts';
import { temporary } from './temporary.ts';
import { World } from './world.ts';

/** A line that needs a shell: pipes, redirections, variables, and other programs than hnotif. */
const NEEDS_SHELL = /^(?!hnotif )|[|&<>$;]/;

/** A receiver that is down is known to be so after its first failures, and no other process has sent before. */
const QUICK = {
  lateMs: 0,
  limits: { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 100, probeMaxMs: 3_600_000 },
};

/** The id of an event in the pages. */
const SHOWN_ID = 'ksc3lnpl3cy2';

/** What else the pages have another name for. */
const SHOWN_NAMES = { 'https://pager.example': 'http://127.0.0.1:9', 'hnotif-7c9d': '…' };

/** What a page shows, with the names of this stage. */
export const here = (line: string): string =>
  Object.entries(SHOWN_NAMES).reduce((text, [shown, name]) => text.replaceAll(shown, name), line);

/** The cluster, the receivers and the files of which the commands of the pages speak, and a folder to run them in. */
export class DocsStage {
  readonly #world: World;
  readonly #folder: string;
  readonly #env: Record<string, string>;

  private constructor(world: World, folder: string, env: Record<string, string>) {
    this.#world = world;
    this.#folder = folder;
    this.#env = env;
  }

  static async start(): Promise<DocsStage> {
    const world = await World.start();
    const folder = await temporary();
    const before = process.cwd();
    process.chdir(folder);
    onTestFinished(() => {
      process.chdir(before);
    });
    const chat = await world.teamchat({ channels: [{ id: 'C0NIGHTS' }, { id: 'C0TESTING' }] });
    // Flags read it from the environment of the process.
    vi.stubEnv('HNOTIF_CHAT_API_URL', chat.apiUrl);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    await writeObjects(world);
    await world.synced(QUICK);
    await writeFiles(folder);
    const kubeconfig = join(folder, '.kube/config');
    const config = parse(world.cluster.kubeconfig()) as { contexts: { context: object }[] };
    for (const each of config.contexts) Object.assign(each.context, { namespace: 'shop' });
    await written(kubeconfig, stringify(config));
    const stage = new DocsStage(world, folder, {
      ...{ PATH: `${join(folder, '.bin')}:${process.env.PATH}`, HOME: folder, EDITOR: 'true' },
      ...{ KUBECONFIG: kubeconfig, HNOTIF_ALLOW_INSECURE_HTTP: 'true' },
    });
    await stage.#night();
    await world.received(1, 'night-pager');
    // The first commands ask why the receiver of ops/pager gets nothing.
    await world.kube.until(collection('shop', 'hibernatenotifications'), 'ops', ({ status }) =>
      JSON.stringify(status ?? {}).includes('"status":"False","reason":"ConnectionRefused"'),
    );
    return stage;
  }

  /** Runs a line of a page. One that sends again has one delivery that was lost. */
  async run(line: string): Promise<Answer<string>> {
    const sendsAgain = / replay |hibernation\.dev\/replay/.test(line);
    const known =
      line.includes(SHOWN_ID) || sendsAgain ? line.replaceAll(SHOWN_ID, await this.#lost()) : line;
    const text = this.#hasPicture ? known.replace('-o png', '-o pretty') : known;
    this.#hasPicture ||= line.includes('-o png');
    const { records } = this.#world.receiver;
    const before = records.filter(
      ({ path, answered }) => path === '/night-pager' && answered.accepted,
    ).length;
    const ran = NEEDS_SHELL.test(text.split(' #')[0] ?? '')
      ? await this.#inShell(text)
      : await this.#inProcess(await wordsOf(text));
    if (sendsAgain && !line.includes('--dry-run')) {
      await this.#world.received(before + 1, 'night-pager');
      await this.#lostUntil((id) => id === undefined);
    }
    if (line.startsWith('hnotif mute ')) this.#muted = true;
    return ran;
  }

  #muted = false;
  /** A picture takes seconds of a processor: there is one. */
  #hasPicture = false;

  /** After a block: what it has muted is not muted for the next one. */
  async restore(): Promise<void> {
    if (this.#muted) await this.#inProcess(['hnotif', 'unmute', 'night-ops', '-n', 'shop']);
    this.#muted = false;
  }

  async #night(): Promise<void> {
    await this.#world.team('shop').begins('storefront', { cycle: 'of-storefront' });
    await this.#world.team('shop').succeeds('storefront');
  }

  /** The id of an event that night-ops/pager has not got. If there is none, the receiver refuses the next one. */
  async #lost(): Promise<string> {
    const already = await this.#lostUntil(() => true);
    if (already !== undefined) return already;
    const { receiver } = this.#world;
    const mend = receiver.faults.add({
      match: { path: '/night-pager' },
      fault: { kind: 'status', status: 400 },
    });
    const before = receiver.records.length;
    await this.#night();
    await receiver.waitFor((records) => records.slice(before).some(({ path }) => path === '/night-pager'));
    const id = await this.#lostUntil((found) => found !== undefined);
    mend();
    return id ?? '';
  }

  /** Resolves with the id of the lost event, or undefined, when it is as wanted. */
  async #lostUntil(wanted: (id: string | undefined) => boolean): Promise<string | undefined> {
    return eventually(async () => {
      const { out } = await this.#inProcess(['hnotif', 'trace', 'storefront', '-n', 'shop']);
      const rows = [...out.matchAll(/ night-ops\/pager +([a-z2-7]{12}) +#\d+ Success (failed|delivered)/g)];
      const arrived = rows.filter(([, , state]) => state === 'delivered').map(([, id]) => id);
      const id = rows.map((row) => row[1]).find((each) => !arrived.includes(each));
      if (!wanted(id)) throw new Error(out);
      return id;
    });
  }

  #inProcess([, ...args]: readonly string[]): Promise<Answer<string>> {
    return plainCommand(args, '', this.#env);
  }

  async #inShell(line: string): Promise<Answer<string>> {
    const options = { cwd: this.#folder, env: this.#env };
    const shell = shellOf(line);
    try {
      const { stdout, stderr } = await promisify(execFile)(shell, ['-c', line], options);
      return { exit: 0, out: stdout, err: stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { exit: code, out: stdout, err: stderr };
    }
  }
}

/** The shell of a line: the file after it in a comment names another one. */
export function shellOf(line: string): string {
  if (/# in .*fish/.test(line)) return 'fish';
  if (/# in .*zsh/.test(line)) return 'zsh';
  return line.includes('<(') ? 'bash' : 'sh';
}

/** The words of a line, as the shell reads them. */
async function wordsOf(line: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `printf '%s\\0' ${line}`]);
  return stdout.split('\0').slice(0, -1);
}

async function writeObjects(world: World): Promise<void> {
  for (const name of ['shop', 'payments', 'hnotif', 'hnotif-demo']) await world.addNamespace(name);
  const teams = await startMsteamsReceiver();
  onTestFinished(() => teams.close());
  const thread = {
    ...{ delivery_mode: 'thread', bot_token: 'xoxb-test', channel_id: 'C0NIGHTS' },
    rate_limit: { rate: 1_000, burst: 1_000 },
  };
  await world.secret('log', {}, 'shop');
  await world.secret('night-pager', {}, 'shop');
  await world.secret('pager', { url: 'http://127.0.0.1:9/' }, 'shop');
  await world.secret('chat', JSON.stringify(thread), 'shop');
  await world.secret('team', JSON.stringify({ webhook_url: teams.webhookUrl() }), 'payments');
  await world.secret('nights', {}, 'payments');
  await world.secret('storefront', {}, 'hnotif-demo');
  await world.team('shop').notification('ops', {
    onEvents: ['Start', 'ExecutionProgress', 'Success'],
    sinks: ['log', 'pager'],
  });
  const pager = { name: 'pager', secret: 'night-pager' };
  const chat = { name: 'chat', type: 'teamchat' } as const;
  await world
    .team('shop')
    .notification('night-ops', { onEvents: ['Success', 'Failure'], sinks: [pager, chat] });
  await world.team('payments').notification('nights', { onEvents: ALL });
  const team = { name: 'team', type: 'msteams' } as const;
  await world.team('payments').notification('night-shift', { onEvents: ['Failure'], sinks: [team] });
  await world.team('hnotif-demo').notification('storefront', { onEvents: ALL });
  await world.team('shop').plan('storefront');
  await world.team('payments').plan('ledger');
  await world.team('hnotif-demo').plan('storefront');
}

/** The files that the commands name. */
async function writeFiles(folder: string): Promise<void> {
  const webhook = blocksIn(await readPage('README.md')).find(({ text }) => text.includes('kind: Hibernate'));
  const [namespace = '', secret = '', notification = ''] = webhook?.text.split(/^---\n/m) ?? [];
  const manyPlans = blocksIn(await readPage('docs/howto/many-plans.md'));
  const template = '{{ .Event }} of {{ .Plan.Name }}';
  const words = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'words', namespace: 'payments' } };
  const files = {
    '.bin/hnotif': `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(BUNDLE)} "$@"\n`,
    '.bin/kustomize': '#!/bin/sh\n[ "$1" = build ] && shift && exec kubectl kustomize "$@"\n',
    'deploy/nights.yaml': [namespace, secret, notification].join('---\n'),
    'kustomization.yaml': 'resources: [deploy/nights.yaml]\n',
    'nights.yaml': manyPlans.find(({ language }) => language === 'yaml')?.text ?? '',
    'notification.yaml': notification,
    'secret.yaml': secret,
    'template.yaml': stringify({ ...words, data: { 'template.gotpl': template } }),
    'template.gotpl': template,
    'ca.crt': 'a certificate\n',
  };
  for (const [name, text] of Object.entries(files)) await written(join(folder, name), text);
}

async function written(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: 0o700 });
}
