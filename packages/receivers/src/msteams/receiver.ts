import { faultInWords } from '@hnotif/judges';
import { isFields, judgeMessage } from '@hnotif/judges/msteams';
import { msteamsMessages } from '../view/bodies.ts';
import { parseJson } from '../body.ts';
import type { Decision, Request } from '../decision.ts';
import { Receiver, type ReceiverOptions } from '../receiver.ts';
import type { MsteamsMessage } from './message.ts';
import { describeMsteamsRecord, type MsteamsFindings } from './record.ts';

export interface MsteamsOptions extends ReceiverOptions {
  /** The signature of each workflow, by the path of its address. Default: one workflow, that of `webhookUrl()`. */
  readonly workflows?: Readonly<Record<string, string>>;
  /** Whether the workflows are on. Default: true. */
  readonly isOn?: boolean;
}

/** Starts the workflows; resolves when they listen. */
export async function startMsteamsReceiver(options: MsteamsOptions = {}): Promise<MsteamsReceiver> {
  const receiver = new MsteamsReceiver(options);
  await receiver.listen();
  return receiver;
}

const PATH = '/powerautomate/automations/direct/workflows/0123456789abcdef/triggers/manual/paths/invoke';
const SIGNATURE = 'made-up-signature';

const refusal = (status: number, code: string, message: string): Decision<MsteamsFindings> => ({
  findings: { message: undefined, error: code, failure: undefined },
  takes: false,
  settle: () => ({ answer: { status, headers: {}, body: JSON.stringify({ error: { code, message } }) } }),
});

/**
 * Workflows that post cards into channels: “When a Teams webhook request is received”, then “Post card in a chat or channel”. A workflow answers
 * 202 before it posts, so its caller does not learn that a card was not posted.
 */
export class MsteamsReceiver extends Receiver<MsteamsFindings> {
  readonly #messages: MsteamsMessage[] = [];
  readonly #keep: number;

  constructor(options: MsteamsOptions) {
    const { workflows = { [PATH]: SIGNATURE }, isOn = true, keepMessages = Infinity } = options;
    super(options, {
      path: PATH,
      handle: (request) => this.#handle(request, new Map(Object.entries(workflows)), isOn),
      describe: describeMsteamsRecord,
    });
    this.#keep = keepMessages;
  }

  /** The address of the workflow that is there by default, with its signature. */
  webhookUrl(): string {
    return `${this.url}?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${SIGNATURE}`;
  }

  /** The messages in the channels, oldest first. */
  get messages(): readonly MsteamsMessage[] {
    return this.#messages;
  }

  #handle(
    { method, path, body, arrivedAt }: Request,
    signatures: ReadonlyMap<string, string>,
    isOn: boolean,
  ): Decision<MsteamsFindings> {
    const url = new URL(path, 'http://workflow.test');
    const signature = signatures.get(url.pathname);
    if (signature === undefined) return refusal(404, 'WorkflowNotFound', 'The workflow could not be found.');
    if (method !== 'POST') return refusal(405, 'MethodNotAllowed', 'The method is not allowed.');
    if (url.searchParams.get('sig') !== signature)
      return refusal(401, 'DirectApiAuthorizationRequired', 'The request is not signed by the address.');
    if (!isOn)
      return refusal(400, 'WorkflowTriggerIsNotEnabled', 'The trigger of the workflow is not enabled.');
    const { json, jsonError } = parseJson(body.bytes);
    if (jsonError !== undefined) return refusal(400, 'InvalidRequestContent', jsonError);
    const verdict = judgeMessage(json);
    const failure = verdict.kind === 'refused' ? faultInWords(verdict.faults[0]) : undefined;
    const [message] = failure === undefined && isFields(json) ? msteamsMessages([json], arrivedAt) : [];
    return {
      findings: { message: undefined, error: undefined, failure },
      takes: message !== undefined,
      settle: () => {
        if (message !== undefined) this.#messages.push(message);
        if (this.#messages.length > this.#keep) this.#messages.shift();
        return { answer: { status: 202, headers: {}, body: '' }, findings: { message } };
      },
    };
  }
}
