/**
 * A bare client of the control plane, in a separate process. For each new status of a plan of the victim it writes an object and sends a
 * message, and nothing else. Its latency is the least possible one on this machine beside the same attack. It ends with its parent.
 */
import { Agent, request } from 'undici';
import { serveParent } from '../../forked.ts';
import { Kube } from '../../kube.ts';
import { configMapObject } from '../../objects.ts';
import { Team } from '../../team.ts';

/** The only argument of the process, as JSON. */
export interface BareClientOptions {
  readonly url: string;
  readonly ca: string | undefined;
  readonly token: string;
  readonly namespace: string;
  /** Messages go to `<receiver>/<plan>/<resourceVersion>`. */
  readonly receiver: string;
}

const { url, ca, token, namespace, receiver } = JSON.parse(process.argv[2] ?? '') as BareClientOptions;
const team = new Team(namespace, new Kube(url, { ca, token }));
/** A new connection for each message, because the victim's receiver closes it. */
const chat = new Agent({ pipelining: 0 });

async function pass(name: string, resourceVersion: string): Promise<void> {
  await team.patch('configmaps', `bare-${name}`, { data: { seen: resourceVersion } });
  const answer = await request(`${receiver}/${name}/${resourceVersion}`, {
    ...{ method: 'POST', body: '{}', dispatcher: chat },
    headers: { 'content-type': 'application/json' },
  });
  await answer.body.dump();
}

for (const { metadata } of await team.list('hibernateplans'))
  await team.create('configmaps', configMapObject(`bare-${metadata.name}`, {}));
await team.kube.follow(
  team.path('hibernateplans'),
  ({ metadata }) => void pass(metadata.name, metadata.resourceVersion),
  new AbortController().signal,
);
serveParent({}, () => ({}));
