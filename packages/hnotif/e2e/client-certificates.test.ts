import type { TLSSocket } from 'node:tls';
import { createServer } from 'node:https';
import { expect, it } from 'vitest';
import {
  certificateOf,
  testCertificate,
  type TestCertificate,
} from '../src/transport/testing/certificate.ts';
import { listen } from '../src/transport/testing/server.ts';
import { eventually } from '../../core/src/testing/eventually.ts';
import { command } from './support/command.ts';
import { collection } from '../../lab/src/objects.ts';
import { NAMESPACE, World } from './support/world.ts';

const SERVER = testCertificate('hooks.example');
const OLD = certificateOf({ names: ['old'], forClients: true });
const NEW = certificateOf({ names: ['new'], forClients: true });

/** A line of a key or of a certificate. */
const SHOWN = new RegExp(
  [OLD, NEW]
    .flatMap(({ key, cert }) => [key, cert].map((pem) => pem.split('\n')[1]))
    .join('|')
    .replaceAll('+', '\\+'),
);

interface Receiver {
  readonly url: string;
  /** The names of the client certificates, in the order of the requests; '' for none. */
  readonly names: string[];
  readonly resumed: () => boolean;
  /** Open connections, by these names. */
  readonly open: () => string[];
}

/** A receiver that takes connections with one of our client certificates, and others only if it does not insist. */
async function receiver({ insists = true } = {}): Promise<Receiver> {
  const names: string[] = [];
  const open = new Map<TLSSocket, string>();
  let resumed = false;
  const trusted = { ca: [OLD.cert, NEW.cert], requestCert: true, rejectUnauthorized: insists };
  const server = createServer({ ...SERVER, ...trusted, keepAliveTimeout: 60_000 }, (request, response) => {
    names.push(nameOf(request.socket as TLSSocket));
    request.resume().on('end', () => response.end());
  });
  server.on('secureConnection', (socket) => {
    resumed ||= socket.isSessionReused();
    open.set(socket, nameOf(socket));
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  });
  const port = await listen(server);
  return {
    ...{ url: `https://127.0.0.1:${port}/hook`, names },
    ...{ resumed: () => resumed, open: () => [...open.values()] },
  };
}

/** A certificate of nobody has no fields. */
const nameOf = (socket: TLSSocket): string =>
  (socket.getPeerCertificate() as { subject?: { CN?: string } } | undefined)?.subject?.CN ?? '';

/** A secret as cert-manager keeps it, with a configuration. */
const secretOf = (url: string, shown: Partial<TestCertificate>): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  stringData: {
    config: JSON.stringify({ url }),
    ...(shown.cert !== undefined && { 'tls.crt': shown.cert }),
    ...(shown.key !== undefined && { 'tls.key': shown.key }),
    'ca.crt': SERVER.cert,
  },
});

const write = (world: World, secret: object, name = 'audit'): Promise<unknown> =>
  world.kube.put(collection(NAMESPACE, 'secrets'), name, { ...secret, metadata: { name } });

const PERMITTED = '--egress-allow=127.0.0.0/8';

async function worldWith(secret: object): Promise<World> {
  const world = await World.start();
  await write(world, secret);
  await world.notification('audit', { onEvents: ['Start', 'Success'] });
  await world.plan('orders');
  await world.synced();
  await world.hibernate('orders');
  return world;
}

it('the certificate of a secret is shown to the receiver; after a rotation the new one is, and old connections end', async () => {
  const { url, names, resumed, open } = await receiver();
  const world = await worldWith(secretOf(url, OLD));
  await expect.poll(() => names).toEqual(['old']);
  await write(world, secretOf(url, NEW));
  // A secret is known for some milliseconds: each look begins another night.
  let night = 0;
  await eventually(async () => {
    await world.plan(`night-${++night}`);
    await world.hibernate(`night-${night}`);
    await expect.poll(() => names.length).toBe(1 + night);
    return names.at(-1) === 'new';
  });
  await expect.poll(() => open().includes('old')).toBe(false);
  expect(resumed()).toBe(false);
  const status = await world.status('audit', ({ conditions }) => conditions?.[0]?.status === 'True');
  expect(JSON.stringify(status) + world.log.join('')).not.toMatch(SHOWN);
});

it.each([
  ['no certificate', {}],
  ['a certificate of another authority', certificateOf({ names: ['other'], forClients: true })],
])(
  'a receiver that asks for a certificate and gets %s: the remedy names tls.crt and tls.key',
  async (_, shown) => {
    const { url } = await receiver();
    const world = await World.start();
    await write(world, secretOf(url, shown));
    await world.notification('audit', { onEvents: ['Start'] });
    const flags = [`--namespace=${NAMESPACE}`, `--kubeconfig=${await world.kubeconfig()}`, PERMITTED];
    const { exit, out } = await command(['send', ...flags]);
    expect(exit).toBe(1);
    expect(out).toEqual([
      expect.stringMatching(
        /if it asks for a client certificate, are tls\.crt and tls\.key in the secret those that it knows\?/,
      ),
    ]);
    expect(out.join()).not.toContain('UND_ERR');
  },
);

it('an idle connection with a certificate serves no sink without it', async () => {
  const { url, names } = await receiver({ insists: false });
  const world = await World.start();
  await write(world, secretOf(url, OLD));
  await write(world, secretOf(url, {}), 'plain');
  await world.notification('audit', { onEvents: ['Start'] });
  await world.notification('plain', { onEvents: ['Success'] });
  await world.plan('orders');
  await world.synced();
  await world.hibernate('orders');
  await expect.poll(() => names).toEqual(['old']);
  await world.succeeds('orders');
  await expect.poll(() => names).toEqual(['old', '']);
});

it.each([
  [
    'a key of another certificate',
    { ...OLD, key: NEW.key },
    /tls\.key: is not the key of the first certificate/,
  ],
  ['no key', { cert: OLD.cert }, /tls\.key: is missing; a client certificate needs it beside tls\.crt/],
  [
    'a key in place of the certificate',
    { cert: OLD.key, key: OLD.key },
    /audit(?!.*key config).*tls\.crt: it holds no PEM certificate/,
  ],
])('%s is an error of the configuration, of the commands, too', async (_, shown, problem) => {
  const world = await World.start();
  const secret = secretOf('https://127.0.0.1:1/hook', shown);
  await write(world, secret);
  await world.notification('audit', { onEvents: ['Start'] });
  await world.synced();
  const { conditions } = await world.status('audit', (status) => status.conditions?.[0]?.status === 'False');
  expect(conditions?.[0]).toMatchObject({ reason: 'ConfigInvalid' });
  expect(conditions?.[0]?.message).toMatch(problem);
  const flags = [`--namespace=${NAMESPACE}`, `--kubeconfig=${await world.kubeconfig()}`, PERMITTED];
  const told = await Promise.all(
    ['send', 'render', 'doctor', 'validate'].map(async (name) => {
      const { exit, out, err } = await command([name, ...flags]);
      return { exit, said: [...out, ...err].join('\n') };
    }),
  );
  for (const { exit, said } of told) {
    expect(exit).toBe(1);
    expect(said).toMatch(problem);
  }
  const all = [...told.map(({ said }) => said), ...world.log, JSON.stringify(conditions)].join('\n');
  expect(all).not.toMatch(SHOWN);
});

it('hnotif send and hnotif doctor show the certificate, too', async () => {
  const { url, names } = await receiver();
  const world = await World.start();
  await write(world, secretOf(url, OLD));
  await world.notification('audit', { onEvents: ['Start'] });
  const flags = [`--namespace=${NAMESPACE}`, `--kubeconfig=${await world.kubeconfig()}`, PERMITTED];
  expect(await command(['send', ...flags])).toMatchObject({
    exit: 0,
    out: ['sent     Start to sink audit (webhook)'],
  });
  expect(names).toEqual(['old']);
  const { out } = await command(['doctor', ...flags]);
  expect(out).toContainEqual(expect.stringMatching(/^ok .*takes connections \(no request was made\)$/));
  expect(names).toEqual(['old']);
});
