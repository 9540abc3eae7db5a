import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '@hnotif/core/clock';
import { loadAccess } from '../src/cluster/access.ts';
import { KubeClient } from '../src/cluster/client.ts';
import { exampleSource } from '@hnotif/core/render';
import { TemplatePool } from '../src/template-pool/pool.ts';
import { DEFAULT_API_GROUP, notificationsOf, SINK_TYPES } from '@hnotif/core/resources';
import { readSink } from '@hnotif/core/sinks';
import { sinkSettings } from '../../core/src/testing/sinks.ts';
import { Transport, type TransportOptions } from '../src/transport/client.ts';
import { toLoopback } from '../src/transport/testing/server.ts';
import { Secret } from '@hnotif/core/redaction';
import { canariesIn, canary, ECHOES } from '../../lab/src/scenarios/redaction/canary.ts';
import { everythingOf, leaksOf } from '../../lab/src/scenarios/redaction/everything.ts';
import { ENVIRONMENT, type Kubeconfig, kubeconfigs } from '../../lab/src/scenarios/redaction/kubeconfigs.ts';
import { fieldsOf, misconfigured } from '../../lab/src/scenarios/redaction/misconfigured.ts';
import { MODES } from '../../lab/src/scenarios/redaction/modes.ts';
import { startAnswering } from '../../lab/src/answering.ts';
import { temporary } from './support/temporary.ts';

it('the search finds a credential in any form, anywhere in an error', () => {
  const value = canary.text('found');
  for (const [form, echo] of Object.entries(ECHOES))
    expect(canariesIn(`a ${echo(value)} b`), form).not.toEqual([]);
  const hidden = (fields: object): Error => Object.assign(new Error('x'), fields);
  const places: unknown[] = [
    new Error(value),
    new Error('x', { cause: new Error('y', { cause: { value } }) }),
    hidden({ request: { headers: [{ value }] } }),
    Object.defineProperty(new Error('x'), 'value', { value, enumerable: false }),
    hidden({ [Symbol('value')]: value }),
    Object.assign(new Error('x'), { stack: value }),
    new AggregateError([new Error(value)]),
    { toString: () => value },
    { toJSON: () => value },
    new Map([[value, 1]]),
  ];
  for (const [index, place] of places.entries()) expect(leaksOf(`place ${index}`, place)).toHaveLength(1);
});

it('a Secret shows nothing, however it is printed', () => {
  const secret = new Secret(canary.text('secret'));
  // As who forgets that it is none.
  const text = secret as unknown as string;
  const places: unknown[] = [
    secret,
    { config: { secret }, list: [secret], map: new Map([[secret, secret]]) },
    new Error('x', { cause: secret }),
    Object.assign(new Error(`${text}`), { secret }),
  ];
  for (const [index, place] of places.entries()) expect(leaksOf(`place ${index}`, place)).toEqual([]);
  expect(everythingOf({ secret })).toContain('[redacted]');
  expect([`${text}`, '' + text, JSON.stringify({ secret })]).toEqual([
    '[redacted]',
    '[redacted]',
    '{"secret":"[redacted]"}',
  ]);
  expect(Reflect.ownKeys(secret)).toEqual([]);
  expect(structuredClone(secret)).toEqual({});
});

it('a sink shows no value of its configuration, with any error in it', () => {
  const transport = new Transport({ allowInsecureHttp: true });
  onTestFinished(() => transport.close());
  const settings = sinkSettings({ transport, clock: systemClock });
  const faulty = misconfigured(1);
  const problems = new Set<string>();
  const leaks = faulty.flatMap(({ type, name, text }) => {
    const reading = readSink(type, text, settings);
    if (!reading.ok) for (const problem of reading.problems) problems.add(`${type}: ${problem}`);
    if (reading.ok) return leaksOf(name, { notes: reading.notes, sink: reading.sink });
    const shown = reading.problems.join('\n');
    return canariesIn(shown).map((found) => `${name}: ${found} in ${shown}`);
  });
  expect(leaks).toEqual([]);
  // What the faults of a field are called begins with its name: a field that no text blames was not tried.
  const unblamed = SINK_TYPES.flatMap((type) =>
    fieldsOf(type).filter((field) => ![...problems].some((text) => text.startsWith(`${type}: ${field}`))),
  );
  expect(unblamed).toEqual([]);
  expect(faulty.filter(({ text }) => canariesIn(text).length > 0).length).toBeGreaterThan(1_000);
});

/** Fields whose texts are meant to be shown: what to say when a plugin is not there. */
const MEANT_TO_BE_SHOWN = 'exec.installHint ';
/** What looks as a command does is one. */
const LIKE_A_COMMAND = /^exec\.command is a token as it is given$/;

it('a kubeconfig shows no value of it, with any error in it and any output of its plugins', async () => {
  const folder = await temporary();
  const warned: unknown[] = [];
  const warn = (warning: unknown): void => void warned.push(warning);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));

  const cases = [...kubeconfigs().entries()].filter(
    ([, { name }]) => !name.startsWith(MEANT_TO_BE_SHOWN) && !LIKE_A_COMMAND.test(name),
  );
  const said = new Map<string, string>();
  const leaks: string[] = [];
  const tryOne = async ([index, { name, text }]: [number, Kubeconfig]): Promise<void> => {
    const file = join(folder, `kubeconfig-${index}`);
    await writeFile(file, text);
    const [error, byPlugin] = await thrownBy(file);
    said.set(name, error instanceof Error ? error.message.replaceAll(file, 'FILE') : String(error));
    leaks.push(...leaksOf(name, error), ...leaksOf(`${name}, before the client`, byPlugin));
  };
  const waiting = cases.values();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const one of waiting) await tryOne(one);
    }),
  );
  expect(leaks).toEqual([]);
  expect(leaksOf('warnings', warned)).toEqual([]);
  // Each was tried: what is said of it is what it is for.
  expect(said.get('user.tokenFile is a token')).toBe('the token file of FILE cannot be read (ENOENT)');
  expect(said.get('user.client-key is a key')).toMatch(/^FILE: client-key: the file cannot be read/);
  expect(said.get('exec.command is a command line')).toBe(
    'the credential plugin hnotif-no-such-plugin … was not found',
  );
  expect(said.get('a plugin that fails')).toMatch(/ended with code 3: [^]*MY_TOKEN=\[redacted\]/);
  expect(said.get('cluster.proxy-url is an address with a bare %')).toMatch(/no connection to/);
  expect(said.get('cluster.proxy-url is an address with a bare %')).not.toMatch(/malformed/);
  expect(said.get('a plugin of another version')).toMatch(/answered in another version/);
  expect(said.get('a plugin with a strange time')).toMatch(/not an RFC 3339 time/);
  expect(said.get('good, but nobody is there')).toMatch(/^GET .*: no connection to https:\/\/127\.0\.0\.1:1/);
});

const nothing = (): void => undefined;

/** What a user is told who goes to a cluster with this, and what the client was told by the credentials; undefined: nothing. */
async function thrownBy(kubeconfig: string): Promise<[error: unknown, byCredentials: unknown]> {
  const env = ENVIRONMENT;
  let client: KubeClient | undefined;
  let byCredentials: unknown;
  try {
    const access = await loadAccess({ kubeconfig, env });
    byCredentials = await Promise.resolve(access.authenticator.credentials()).then(
      nothing,
      (error: unknown) => error,
    );
    client = new KubeClient({ access, clock: systemClock });
    await client.list(notificationsOf(DEFAULT_API_GROUP), undefined, { limit: 1 });
    return [undefined, byCredentials];
  } catch (error) {
    return [error, byCredentials];
  } finally {
    await client?.close();
  }
}

it('a request that a stop aborts shows nothing of its body', async () => {
  const secret = canary.ascii('request');
  const url = new URL(
    `https://receiver.test/${encodeURIComponent(secret)}?key=${encodeURIComponent(secret)}`,
  );
  const request = { url, owner: 'team-a', headers: { authorization: `Bearer ${secret}` }, body: secret };
  const transport = new Transport({ resolve: () => undefined });
  const stop = new AbortController();
  const under = transport.post({ ...request, signal: stop.signal });
  stop.abort(new Error(secret));
  const replies = [await under, await transport.post({ ...request, signal: stop.signal })];
  await transport.close();
  replies.push(await transport.post(request));
  expect(replies).toMatchObject([{ reason: 'Aborted' }, { reason: 'Aborted' }, { reason: 'Closed' }]);
  expect(replies.flatMap((reply) => leaksOf('reply', reply))).toEqual([]);
});

it('a request that its proxy refuses, or that is not permitted, shows nothing of it or of the proxy', async () => {
  // The proxy repeats all that it is told.
  const { port, close } = await startAnswering(() => ({ kind: 'hang' }), {
    onConnect({ url = '', headers }, socket) {
      const echo = JSON.stringify(headers);
      socket.on('error', () => undefined);
      socket.end(`HTTP/1.1 407 ${echo}\r\nProxy-Authenticate: Basic realm=${echo}\r\n\r\n${url} ${echo}`);
    },
  });
  onTestFinished(close);
  const proxy = { url: `http://me:${encodeURIComponent(canary.text('proxy'))}@127.0.0.1:${port}` };
  const transport = new Transport({ proxy, resolve: toLoopback, egress: { allow: ['127.0.0.0/8'] } });
  onTestFinished(() => transport.close());
  const settings = sinkSettings({ transport, clock: systemClock });
  for (const { name, type, config } of MODES) {
    const { config: given, credentials } = config('c0', port);
    const refused = readSink(type, JSON.stringify(given), settings);
    expect(leaksOf(name, refused.ok ? refused.notes : refused.problems)).toEqual([]);
    const [path = '', ...headers] = Object.values(credentials).map(encodeURIComponent);
    const replies = await Promise.all(
      ['https', 'http'].map((scheme) =>
        transport.post({
          url: new URL(`${scheme}://receiver.test/${path}?key=${path}`),
          ...{ owner: 'team-a', headers: { authorization: headers.join(' ') }, body: path },
        }),
      ),
    );
    expect(replies).toMatchObject([{ reason: 'ProxyFailed' }, { reason: 'InsecureUrl' }]);
    expect(replies.flatMap((reply) => leaksOf(name, reply))).toEqual([]);
  }
});

it('a transport that cannot be created shows nothing of its settings', () => {
  const secret = canary.text('option');
  const pem = `-----BEGIN CERTIFICATE-----\n${secret}\n-----END CERTIFICATE-----`;
  const options: TransportOptions[] = [
    { ca: secret },
    { ca: pem },
    { ca: pem.replaceAll('CERTIFICATE', 'PRIVATE KEY') },
    ...[secret, `me:${secret}@h`, `ftp://me:${encodeURIComponent(secret)}@h`, `http://me:${secret}@[`].map(
      (url) => ({ proxy: { url } }),
    ),
  ];
  for (const option of options) {
    let thrown: unknown;
    try {
      new Transport(option);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(TypeError);
    expect(leaksOf('thrown', thrown)).toEqual([]);
  }
});

it('a template that fails shows only the template and the event', async () => {
  const secret = canary.text('env');
  vi.stubEnv('HNOTIF_CANARY', secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const pool = new TemplatePool({ clock: systemClock });
  onTestFinished(() => pool.close());
  const source = exampleSource('Failure', 'webhook', 'shutdown');
  const reasons: string[] = [];
  for (const text of [
    '{{ if }}',
    '{{ env "HNOTIF_CANARY" }}',
    '{{ .Nothing.More }}',
    '{{ fail .ErrorMessage }}',
    '{{ repeat 999999999 .Event }}',
    // Below the engine's bounds of steps and memory: only the clock ends it.
    '{{ $s := repeat 1000000 "ab" }}{{ range until 100000 }}{{ $x := regexMatch "(?i)k" $s }}{{ end }}',
    '{{ (index . "constructor").constructor }}',
  ]) {
    const rendered = await pool.render({ name: 't', text }, source);
    reasons.push(rendered.ok ? text : rendered.reason);
    expect(leaksOf(text, rendered)).toEqual([]);
  }
  expect(new Set(reasons)).toEqual(
    new Set(['TemplateParseFailed', 'TemplateExecutionFailed', 'TemplateTooLarge', 'TemplateTimedOut']),
  );
});
