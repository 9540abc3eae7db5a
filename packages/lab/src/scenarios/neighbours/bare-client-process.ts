/**
 * A bare client of the control plane, in a separate process. For each new status of a plan of the victim it writes an object and sends a
 * message, and nothing else. Its latency is the least possible one on this machine beside the same attack. It ends with its parent.
 */
import { Agent, request } from 'undici';
import { collection } from '../../objects.ts';

/** The only argument of the process, as JSON. */
export interface BareClientOptions {
  readonly url: string;
  readonly ca: string | undefined;
  readonly token: string;
  /** The collection of all plans. */
  readonly plans: string;
  readonly namespace: string;
  /** Messages go to `<receiver>/<plan>/<resourceVersion>`. */
  readonly receiver: string;
}

interface WatchEvent {
  readonly object: {
    readonly metadata: {
      readonly namespace: string;
      readonly name: string;
      readonly resourceVersion: string;
    };
  };
}

const { url, ca, token, plans, namespace, receiver } = JSON.parse(process.argv[2] ?? '') as BareClientOptions;
process.on('disconnect', () => process.exit());
const api = new Agent({ connect: ca === undefined ? {} : { ca }, headersTimeout: 0, bodyTimeout: 0 });
/** A new connection for each message, because the victim's receiver closes it. */
const chat = new Agent({ pipelining: 0 });
const authorization = `Bearer ${token}`;
const objects = `${url}${collection(namespace, 'configmaps')}`;

async function send(method: 'POST' | 'PATCH', path: string, type: string, body: object): Promise<void> {
  const { body: answer } = await request(path, {
    ...{ method, dispatcher: api, body: JSON.stringify(body) },
    headers: { authorization, 'content-type': type },
  });
  await answer.dump();
}

async function pass({ name, resourceVersion }: WatchEvent['object']['metadata']): Promise<void> {
  await send('PATCH', `${objects}/bare-${name}`, 'application/merge-patch+json', {
    data: { seen: resourceVersion },
  });
  const answer = await request(`${receiver}/${name}/${resourceVersion}`, {
    ...{ method: 'POST', body: '{}', dispatcher: chat },
    headers: { 'content-type': 'application/json' },
  });
  await answer.body.dump();
}

const headers = { authorization };
const listed = await request(`${url}${plans}`, { dispatcher: api, headers });
const list = (await listed.body.json()) as {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly WatchEvent['object'][];
};
for (const { metadata } of list.items)
  if (metadata.namespace === namespace)
    await send('POST', objects, 'application/json', {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `bare-${metadata.name}` } },
    });
const from = `watch=true&resourceVersion=${list.metadata.resourceVersion}`;
const { body } = await request(`${url}${plans}?${from}`, { dispatcher: api, headers });
process.send?.('ready');
let rest = '';
for await (const chunk of body.setEncoding('utf8')) {
  const lines = (rest + (chunk as string)).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const { metadata } = (JSON.parse(line) as WatchEvent).object;
    if (metadata.namespace === namespace) void pass(metadata);
  }
}
