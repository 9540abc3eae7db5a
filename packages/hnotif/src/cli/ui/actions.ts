import { Readable } from 'node:stream';
import * as z from 'zod';
import { KubeError } from '../../cluster/error.ts';
import { SECRETS, formatResourceType, type ResourceType } from '@hnotif/core/resources';
import { mayI } from '../../cluster/reviews.ts';
import { EXIT } from '../exit.ts';
import { printingIo, type Io, type RunCommand } from '../io.ts';
import { neededRight, type Session } from '../session.ts';
import { argumentsOf, type ActionAnswer, type ActionRequest, type ActionRights } from '@hnotif/core/page';

/** Carries out the commands of the page. */
export interface Commands {
  readonly run: RunCommand;
  /** The flags of each command that name the cluster. */
  readonly cluster: readonly string[];
  /** The flags of `send` for addresses that are not public. */
  readonly addresses: readonly string[];
}

/** A name of Kubernetes: it cannot be a flag, and its length is bounded. */
const NAME = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'it is not the name of an object');

const REQUEST = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('replay'), namespace: NAME, plan: NAME }),
  z.strictObject({ action: z.literal('send'), namespace: NAME, notification: NAME, sink: NAME }),
]);

/** The request that a body has. Throws a `ZodError` for anything else. */
export const parseAction = (body: unknown): ActionRequest => REQUEST.parse(body);

/** Runs the command of an action in this process, and resolves with what it prints. */
export async function perform(
  request: ActionRequest,
  { run, cluster, addresses }: Commands,
  { env, clock, signal }: Pick<Io, 'env' | 'clock' | 'signal'>,
): Promise<ActionAnswer> {
  let printed = '';
  const args = [...argumentsOf(request), ...cluster, ...(request.action === 'send' ? addresses : [])];
  const exit = await run(
    args,
    printingIo({ env, clock, signal, input: Readable.from([]) }, (text) => {
      printed += text;
    }),
  );
  return { isDone: exit === EXIT.ok, lines: printed.split('\n').filter((line) => line !== '') };
}

/** What the user may do in a namespace, by the API server. */
export async function rightsIn(namespace: string, session: Session): Promise<ActionRights> {
  const [replay, send] = await Promise.all([
    whyNot(
      session,
      'patch',
      session.notifications,
      namespace,
      neededRight(session.notifications, 'hnotif-edit'),
    ),
    whyNot(session, 'get', SECRETS, namespace, 'the right to read secrets'),
  ]);
  return { replay, send };
}

async function whyNot(
  { client }: Session,
  verb: string,
  type: ResourceType,
  namespace: string,
  right: string,
): Promise<string> {
  try {
    if (await mayI(client, verb, type, namespace)) return '';
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return `the API server does not say whether you may do this: ${error.message}`;
  }
  return `you have no right to ${verb} ${formatResourceType(type)} in namespace ${namespace}; ask for ${right}`;
}
