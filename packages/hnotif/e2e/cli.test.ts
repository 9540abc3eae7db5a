import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { begin } from '@hnotif/core/lifecycle';
import { command, type Answer } from './support/command.ts';
import { LOOPBACK_FLAGS } from '../../lab/src/loopback.ts';
import manifest from '../package.json' with { type: 'json' };
import { AT_ANY_PORT, BUNDLE, DEV_PORTS, DEV_SERVERS, hnotif, started, type Run } from './support/process.ts';
import { World } from './support/world.ts';
import { temporary } from './support/temporary.ts';

/** On a busy machine a message may be late, which is a warning. */
const faultsOf = ({ stderr }: Run): readonly string[] =>
  stderr.filter((line) => !/ warn +sink waits /.test(line));

describe('hnotif dev', () => {
  it('--once plays a night, delivers all of it, says so in its last line and exits 0; it shows what people read in the chats: whole messages, threads under their cards, and the cards as they move', async () => {
    const run = hnotif(['dev', '--once', '--speed=4', ...DEV_PORTS]);
    expect(await run.exit).toBe(0);
    expect(faultsOf(run)).toEqual([]);
    const [, delivered] = /^delivered (\d+), failed 0, dropped 0$/.exec(run.stdout.at(-1) ?? '') ?? [];
    expect(Number(delivered)).toBeGreaterThan(20);
    const webhooks = run.stdout.filter((line) => / ms (night-log|pager) /.test(line));
    const chats = run.stdout.filter((line) =>
      /^[\d:]{8} +(botchat|msteams|teamchat #(?!storefront-nights))/.test(line),
    );
    const replies = run.stdout.filter((line) => / #storefront-nights {3}↳ /.test(line));
    expect(webhooks.length + chats.length + replies.length).toBe(Number(delivered));
    const shown = run.stdout.join('\n');
    for (const kind of ['Start', 'Success', 'Failure', 'Recovery', 'PhaseChange', 'Progress'])
      expect(shown).toContain(` ${kind} `);
    /** The lines of the first message under such a heading. */
    const message = (heading: string): string[] => {
      const below = run.stdout.slice(run.stdout.findIndex((line) => line.endsWith(heading)) + 1);
      return below
        .slice(
          0,
          below.findIndex((line) => !line.startsWith('    │ ')),
        )
        .map((line) => line.slice(6));
    };
    expect(message('teamchat #plan-outcomes')[0]).toMatch(
      /^(✅|⚠️) Hibernation Completed — \S+ in hnotif-demo$/,
    );
    expect(message('botchat  lead-phone')).toEqual(
      expect.arrayContaining(['Namespace: hnotif-demo', 'Operation: shutdown', 'Targets:']),
    );
    expect(message('msteams  managers-channel')).toContainEqual(
      expect.stringMatching(/^(✅|⚠️) Hibernation Completed$/),
    );
    // The custom templates.
    expect(message('teamchat #oncall-channel')).toContainEqual(
      expect.stringMatching(/^🔄 (checkout|storefront): hibernation is tried again$/),
    );
    expect(message('botchat  oncall-group')).toContainEqual(
      expect.stringMatching(/^🔄 (checkout|storefront): hibernation is tried again \(attempt 1\)$/),
    );
    expect(shown).toContain('Runbook (https://wiki.example.com/runbooks/storefront-nights)');
    // enable_renderer.
    expect(shown).toContain('    │ [Failure] shutdown - hnotif-demo/checkout | Phase: Error | Error: ');
    // A card for the night and one for the morning.
    const thread = run.stdout
      .filter((line) => line.includes('#storefront-nights'))
      .map((line) => line.slice(17));
    expect(thread.filter((line) => line.startsWith('teamchat'))).toHaveLength(2);
    expect(message('teamchat #storefront-nights')).toContain('[░░░░░░░░░░] 0/3 completed, 3 pending');
    expect(thread.slice(0, 2)).toEqual([
      'teamchat #storefront-nights',
      '#storefront-nights   ↳ 🌙 Hibernation Starting (3 targets): hnotif-demo/storefront',
    ]);
    expect(thread).toContain(
      '#storefront-nights ✎ ✅ Hibernation Completed: hnotif-demo/storefront — [██████████] 3/3 completed',
    );
    expect(thread.at(-1)).toBe(
      '#storefront-nights ✎ ✅ Wake-Up Completed: hnotif-demo/storefront — [██████████] 3/3 completed',
    );
    expect(shown).toMatch(/^suppressed [1-9]\d* by the sinks’ configurations$/m);
  });

  describe('while it plays', () => {
    let run: Run;
    beforeAll(() => {
      run = started(['dev', '--speed=20', ...DEV_PORTS]);
    });
    afterAll(() => {
      run.kill('SIGKILL');
    });

    it('refuses what no secret of the examples gives a right to, and shows the refusal without the credential', async () => {
      const url = async (name: string): Promise<string> =>
        / (http:\S+)/.exec(await run.line(new RegExp(`^ +${name} +http`)))?.[1] ?? '';
      const [teamchat, botchat] = [await url('teamchat'), await url('botchat')];
      const post = async (address: string, token: string): Promise<number> => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
        return (await fetch(address, { method: 'POST', headers, body: '{"text": "x", "chat_id": 1}' }))
          .status;
      };
      expect(await post(`${teamchat}/services/canary`, '')).toBe(404);
      expect(await post(`${teamchat}/api/chat.postMessage`, 'canary')).toBe(200);
      expect(await post(`${botchat}/bot1000:canary/sendMessage`, '')).toBe(401);
      await run.line(/^refused: teamchat webhook no_service$/);
      await run.line(/^refused: teamchat chat\.postMessage invalid_auth$/);
      await run.line(/^refused: botchat sendMessage Unauthorized$/);
    });

    it('answers no page of a browser: the control plane has no other guard', async () => {
      const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await run.line(/control plane.*http/)) ?? [];
      const secrets = `${address}/api/v1/secrets`;
      const ask = (headers: Record<string, string>): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          get(secrets, { headers }, (response) => {
            response.resume();
            resolve(response.statusCode);
          }).on('error', reject);
        });
      expect(await ask({})).toBe(200);
      expect(await ask({ host: 'evil.example' })).toBe(403);
      expect(await ask({ origin: 'http://evil.example' })).toBe(403);
    });

    it('ends quietly when its reader goes away', async () => {
      await run.line(/Start/);
      run.closeOutput();
      expect(await run.exit).toBe(0);
      expect(faultsOf(run)).toEqual([]);
      expect(run.stdout.join('\n')).not.toContain('canary');
    });
  });

  it('exits 1 when something was not delivered', async () => {
    // The receiver that the examples name is not there: the secrets of another folder point to a closed port.
    const run = hnotif([
      'dev',
      '--once',
      '--speed=20',
      `--examples=${join(import.meta.dirname, 'undeliverable')}`,
      ...DEV_PORTS,
    ]);
    expect(await run.exit).toBe(1);
    expect(run.stdout.at(-2)).toMatch(/^left undelivered [1-9]\d*$/);
    expect(run.stdout.at(-1)).toBe('delivered 0, failed 0, dropped 0');
  });

  it('plays on until it is stopped, and then exits 0; beside another one: each has its kubeconfig, and the next free ports where one is taken, though all are asked to have the same', async () => {
    const one = hnotif(['dev', '--speed=20', ...DEV_PORTS]);
    const pathOf = async (run: Run): Promise<string> =>
      /KUBECONFIG=(\S+)/.exec(await run.line(/KUBECONFIG=/))?.[1] ?? '';
    const serverIn = async (path: string): Promise<string> =>
      /server: (\S+)/.exec(await readFile(path, 'utf8'))?.[1] ?? '';
    const first = await pathOf(one);
    const { port } = new URL(await serverIn(first));
    const two = hnotif(['dev', '--speed=20', ...DEV_SERVERS.map((server) => `--${server}=${port}`)]);
    const paths = [first, await pathOf(two)];
    expect(new Set(paths).size).toBe(2);
    expect(new Set(await Promise.all(paths.map(serverIn))).size).toBe(2);
    for (const run of [one, two]) {
      await run.line(/Success/);
      run.kill('SIGINT');
      expect(await run.exit).toBe(0);
      expect(run.stdout.at(-1)).toMatch(/^delivered \d+, failed 0, dropped 0$/);
    }
    expect(paths.map((path) => existsSync(path))).toEqual([false, false]);
    const moved = two.stdout.filter((line) => line.includes(`port ${port} was taken`));
    expect(moved).toContainEqual(expect.stringMatching(/was taken: the control plane is on \d+$/));
    expect(new Set(moved.map((line) => line.split(' ').at(-1))).size).toBe(DEV_SERVERS.length);
  });

  it('goes on with the other plans when one is deleted in mid-night', async () => {
    const run = hnotif(['dev', '--once', '--speed=2', ...DEV_PORTS]);
    const [url = ''] = /http:\S+/.exec(await run.line(/control plane +http/)) ?? [];
    await run.line(/Start +storefront/);
    const plan = '/apis/hibernation.dev/v1alpha1/namespaces/hnotif-demo/hibernateplans/storefront';
    expect((await fetch(url + plan, { method: 'DELETE' })).status).toBe(200);
    expect(await run.exit).toBe(0);
    expect(faultsOf(run)).toEqual([]);
    expect(run.stdout.at(-1)).toMatch(/^delivered \d+, failed 0, dropped 0$/);
    expect(run.stdout.filter((line) => /storefront +WakeUp/.test(line))).toEqual([]);
    expect(run.stdout.filter((line) => /Success +warehouse +WakeUp/.test(line))).not.toEqual([]);
  });

  it('shows nothing of a secret that it cannot read', async () => {
    const examples = await temporary();
    await writeFile(
      join(examples, 'secret.yaml'),
      'apiVersion: v1\nkind: Secret\nmetadata: { name: hook }\nstringData: { config: "canary-4f1d" }\n',
    );
    const run = hnotif(['dev', '--once', `--examples=${examples}`, ...DEV_PORTS]);
    expect(await run.exit).toBe(1);
    expect(run.stderr).toEqual(['error: secret default/hook: config is not JSON']);
    expect(run.stdout).toEqual([expect.stringMatching(/^hnotif dev /)]);
  });

  it('a folder of examples that does not exist is named before anything starts', async () => {
    const run = hnotif(['dev', '--examples=/no/such/folder', ...DEV_PORTS]);
    expect(await run.exit).toBe(2);
    expect(run.stderr).toEqual(['error: --examples: the folder /no/such/folder does not exist']);
    expect(run.stdout).toEqual([]);
  });
});

describe('hnotif run', () => {
  it('serves the cluster of a kubeconfig until SIGTERM, and exits 0', async () => {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'] });
    await world.plan('orders');
    const run = hnotif([
      'run',
      '--kubeconfig',
      await world.kubeconfig(),
      '--allow-insecure-http',
      ...AT_ANY_PORT,
    ]);
    await run.line(/"msg":"serving"/);
    await world.write('orders', (status, at) =>
      begin(status, 'shutdown', 'c1', [{ name: 'db', type: 'rds' }], at),
    );
    await world.received(1);
    run.kill('SIGTERM');
    expect(await run.exit).toBe(0);
    expect(run.stderr.at(-1)).toContain('"delivered":1');
  });

  it('takes its flags from the environment, too', async () => {
    const world = await World.start();
    const run = hnotif(['run'], {
      HNOTIF_KUBECONFIG: await world.kubeconfig(),
      HNOTIF_METRICS_ADDRESS: '127.0.0.1:0',
      HNOTIF_HEALTH_ADDRESS: '127.0.0.1:0',
      HNOTIF_LOG_FORMAT: 'text',
      HNOTIF_DRAIN_TIMEOUT: '',
    });
    expect(await run.line(/serving/)).not.toMatch(/^\{/);
  });

  it('without a cluster says so in a clear line, tries again, and ends on SIGTERM', async () => {
    const world = await World.start();
    // Below the ports that systems give out, and nobody's: a port that was just freed may be another's by then.
    const kubeconfig = await world.kubeconfig('http://127.0.0.1:1');
    const run = hnotif(['run', '--kubeconfig', kubeconfig, '--log-format=text', ...AT_ANY_PORT]);
    expect(await run.line(/Lease not read or written; trying again/)).toMatch(/ECONNREFUSED|refused/);
    run.kill('SIGTERM');
    expect(await run.exit).toBe(0);
  });
});

describe('hnotif run without an address for its metrics', () => {
  it('answers GET /metrics on port 8080, which the manifest names', async () => {
    const world = await World.start();
    const run = hnotif([
      ...['run', '--kubeconfig', await world.kubeconfig(), ...LOOPBACK_FLAGS],
      '--health-address=127.0.0.1:0',
    ]);
    // Another program of this machine may have the port: then it says so.
    const line = await run.line(/"msg":"started"|:8080: the port is taken by another program/);
    if (line.includes('"started"')) {
      expect(new URL((JSON.parse(line) as { metrics: string }).metrics).port).toBe('8080');
      const answer = await fetch('http://127.0.0.1:8080/metrics');
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('hnotif_plans ')]);
      run.kill('SIGTERM');
    }
    expect(await run.exit).toBe(line.includes('"started"') ? 0 : 1);
    const deployment = join(import.meta.dirname, '../../../deploy/kustomize/base/deployment.yaml');
    expect(await readFile(deployment, 'utf8')).toMatch(/- name: metrics\n\s+containerPort: 8080$/m);
  });
});

/** More namespaces than one process watches one by one. */
const MANY = Array.from({ length: 101 }, (_, at) => `team-${at}`).join(',');

/** Commander reads variables from the process, other code from what it is given. */
function answer(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Answer> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return command(args, '', env).finally(() => vi.unstubAllEnvs());
}

describe('a command line that is wrong', () => {
  it.each([
    [['run', '--failure-after=soon'], {}, /--failure-after.*'soon' is invalid.*duration/],
    [['run', '--api-group=nodots'], {}, /--api-group.*DNS name/],
    [['run', '--plan-resource=plans'], {}, /--plan-resource.*PLURAL\.VERSION\.GROUP/],
    [['run', '--metrics-address=8080'], {}, /--metrics-address.*HOST:PORT/],
    [['run', '--egress-deny=10.0.0.0'], {}, /--egress-deny.*CIDR/],
    [
      ['run', '--egress-deny=10.0.0.1/8'],
      {},
      /--egress-deny.*"10\.0\.0\.1\/8" is an address within a network; give the first address/,
    ],
    [
      ['run', '--egress-deny=0.0.0.0/0', '--egress-allow=169.254.169.254/32'],
      {},
      /^error: --egress-allow 169\.254\.169\.254\/32 .* never permitted/,
    ],
    [
      ['run', '--egress-deny=10.0.0.0/8,::/0', '--egress-allow=10.1.0.0/16,192.168.0.0/16,9.9.9.0/24'],
      {},
      /^error: --egress-allow 9\.9\.9\.0\/24 is public and not in --egress-deny/,
    ],
    [
      ['run', '--chat-api-url=http://slack.test/api'],
      {},
      /^error: --chat-api-url: only https is allowed; .*--allow-insecure-http/,
    ],
    [
      ['run', '--bot-api-url=http://192.0.2.1', '--allow-insecure-http'],
      {},
      /^error: --bot-api-url: plain http is allowed to loopback only/,
    ],
    [['run', '--bot-api-url=ftp://x'], {}, /--bot-api-url.* It must begin with https:/],
    [['run', '--kube-api-burst=1.5'], {}, /--kube-api-burst.*'1\.5' is invalid.*whole number/],
    [['run', '--failure-after=0s'], {}, /--failure-after.*'0s' is invalid.*above 0/],
    [['run', '--log-format=xml'], {}, /--log-format.*json, text/],
    [
      ['run', '--ca-file=/nonexistent/ca.pem'],
      {},
      /^error: --ca-file: the file \/nonexistent\/ca\.pem does not exist$/,
    ],
    [['run'], { HNOTIF_DRAIN_TIMEOUT: 'x' }, /HNOTIF_DRAIN_TIMEOUT/],
    [['run'], { HNOTIF_LEADER_ELECT: 'maybe' }, /HNOTIF_LEADER_ELECT.*true or false/],
    [['run'], { HNOTIF_METRICS_AUTH: 'maybe' }, /HNOTIF_METRICS_AUTH.*true or false/],
    [['run', '--cross-namespace-connectors=all,b'], {}, /--cross-namespace-connectors.*names of namespaces/],
    [['run', '--watch-namespaces=a,b,a'], {}, /--watch-namespaces.*names a twice/],
    [['run'], { HNOTIF_WATCH_NAMESPACES: 'A' }, /HNOTIF_WATCH_NAMESPACES.*names of namespaces/],
    [['run', '--lease-namespace=a.b'], {}, /--lease-namespace.*63/],
    [['run', '--instance=Nights'], {}, /--instance.*lower case/],
    [
      ['run', '--leader-elect=false', '--lease-duration=10s'],
      {},
      /--lease-duration must be longer than --renew-deadline/,
    ],
    [
      ['run'],
      { HNOTIF_ALLOW_INSECURE_HTTP: 'maybe' },
      /HNOTIF_ALLOW_INSECURE_HTTP is neither true nor false/,
    ],
    [
      ['run', '--egress-allow=9.9.9.9/32'],
      {},
      /^error: --egress-allow 9\.9\.9\.9\/32 is public .*--egress-deny=0\.0\.0\.0\/0,::\/0$/,
    ],
    [
      ['run', '--bot-api-url=https://10.0.0.1'],
      {},
      /^error: --bot-api-url: 10\.0\.0\.1 may not .* no public address; .*--egress-allow$/,
    ],
    [['run'], { HNOTIF_SHOW_PRIVATE_ANSWERS: 'maybe' }, /HNOTIF_SHOW_PRIVATE_ANSWERS.*true or false/],
    [['crds'], { HNOTIF_API_GROUP: 'nodots' }, /HNOTIF_API_GROUP.*DNS name/],
    [['run', '--max-age=0s'], {}, /--max-age.*1s or more/],
    [['run', '--colour'], {}, /unknown option '--colour'; see hnotif run --help$/],
    [
      ['run', `--watch-namespaces=${MANY}`],
      {},
      /'--watch-namespaces <namespaces>' argument with 101 entries is invalid\. It names 101 namespaces, at most 100/,
    ],
    [
      ['run'],
      { HNOTIF_WATCH_NAMESPACES: MANY },
      /value with 101 entries from env 'HNOTIF_WATCH_NAMESPACES' is inv/,
    ],
    ...(
      [
        [['run', '--api-group=hibernator.ardikabs.com'], {}],
        [['crds', '--api-group=hibernator.ardikabs.com'], {}],
        [['crds', '--with-plans'], { HNOTIF_API_GROUP: 'hibernator.ardikabs.com' }],
      ] as const
    ).map(
      ([args, env]) =>
        [
          args,
          env,
          /own hibernatenotifications.*--plan-resource=hibernateplans\.v1alpha1\.hibernator\.ardikabs\.com/,
        ] as const,
    ),
    [['fly'], {}, /unknown command 'fly'/],
    [['dev', '--speed=0'], {}, /--speed.*above 0/],
  ] as const)('%j says why in one line and exits 2', async (args, env, message) => {
    expect(await answer(args, env)).toEqual({ exit: 2, out: [], err: [expect.stringMatching(message)] });
  });

  it.each([
    [['run', '--chat-api-url=https://user:canary@x'], {}, /--chat-api-url.*'\[redacted\]' is invalid/],
    [['run', '--bot-api-url', "https://x?a='canary'"], {}, /--bot-api-url.*'\[redacted\]' is invalid/],
    [['run'], { HNOTIF_BOT_API_URL: 'https://user:canary@x' }, /HNOTIF_BOT_API_URL/],
    [['run', '--token=canary'], {}, /unknown option '--token=…'/],
  ] as const)('%j with %j shows no credential', async (args, env, message) => {
    const { exit, out, err } = await answer(args, env);
    expect(exit).toBe(2);
    expect(err.join('\n')).toMatch(message);
    expect([...err, ...out].join('\n')).not.toContain('canary');
  });

  it.each([['--watch-namespace=x'], ['--watch-namespace', 'x']])(
    'an option %s that is nearly right is reported with the right one',
    async (...args) => {
      const { exit, err } = await command(['run', ...args]);
      expect(exit).toBe(2);
      expect(err[1]).toBe('(Did you mean --watch-namespaces?)');
    },
  );

  it('without a command shows the help and exits 2', async () => {
    const run = hnotif([]);
    expect(await run.exit).toBe(2);
    expect(run.stderr.join('\n')).toContain('Usage: hnotif');
  });
});

describe('what cannot start', () => {
  it('names twins of flags that there are not, as the reason may be one of them', async () => {
    const env = { HNOTIF_MAXAGE: 'canary', HNOTIF_SERVICE_HOST: '10.0.0.1' };
    const run = hnotif(['run', '--kubeconfig=/nonexistent/config'], env);
    expect(await run.exit).toBe(1);
    expect(JSON.parse(run.stderr[0] ?? '')).toMatchObject({ level: 'warn', names: ['HNOTIF_MAXAGE'] });
    expect(run.stderr.join('\n')).not.toContain('canary');
  });

  it('a kubeconfig that is not there is named, exit 1', async () => {
    expect(await command(['run', '--kubeconfig=/nonexistent/config'])).toEqual({
      exit: 1,
      out: [],
      err: ['error: the kubeconfig /nonexistent/config does not exist'],
    });
  });

  it('a taken port is named with its flag, exit 1', async () => {
    const world = await World.start();
    const address = `127.0.0.1:${world.cluster.port}`;
    const run = hnotif(['run', '--kubeconfig', await world.kubeconfig(), `--metrics-address=${address}`]);
    expect(await run.exit).toBe(1);
    expect(run.stderr.at(-1)).toMatch(`cannot listen on http://${address}`.replace('http://', ''));
    expect(run.stderr.at(-1)).toContain('--metrics-address');
  });
});

describe('an output that cannot be written', () => {
  it.skipIf(!existsSync('/dev/full'))('is told, and the exit code is 1', async () => {
    const full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, [BUNDLE, 'crds'], { stdio: ['ignore', full.fd, 'pipe'] });
    const [told] = await Promise.all([text(child.stderr ?? Readable.from([])), once(child, 'close')]);
    await full.close();
    expect([child.exitCode, told]).toEqual([1, 'error: standard output cannot be written: ENOSPC\n']);
  });

  it('ends a command quietly when its reader has gone', async () => {
    const run = hnotif(['crds', '--with-plans']);
    run.closeOutput('stdout');
    expect(await run.exit).toBe(0);
    expect(run.stderr).toEqual([]);
    const wrong = hnotif(['crds', '--none']);
    wrong.closeOutput('stderr');
    expect(await wrong.exit).toBe(2);
  });
});

describe('what is printed', () => {
  it('crds gives YAML for the API group that was asked for', async () => {
    const { exit, out } = await command(['crds', '--api-group=sleep.example.com', '--with-plans']);
    expect(exit).toBe(0);
    const names = parseAllDocuments(out.join('\n')).map((document) => document.getIn(['metadata', 'name']));
    expect(names).toEqual(
      expect.arrayContaining([
        'hibernatenotifications.sleep.example.com',
        'hibernateplans.sleep.example.com',
      ]),
    );
  });

  it('crds takes the API group from the environment, as run does; the flag wins', async () => {
    const env = { HNOTIF_API_GROUP: 'sleep.example.com' };
    const [twin, both] = [hnotif(['crds'], env), hnotif(['crds', '--api-group=a.example.com'], env)];
    expect([await twin.exit, await both.exit]).toEqual([0, 0]);
    expect(twin.stdout).toContain('  name: hibernatenotifications.sleep.example.com');
    expect(both.stdout).toContain('  name: hibernatenotifications.a.example.com');
  });

  it('--help and --version exit 0', async () => {
    const [help, version] = [hnotif(['run', '--help']), hnotif(['--version'])];
    expect(await help.exit).toBe(0);
    expect(help.stdout.join('\n')).toContain('HNOTIF_API_GROUP');
    expect(await version.exit).toBe(0);
    expect(version.stdout).toEqual([manifest.version]);
  });
});
