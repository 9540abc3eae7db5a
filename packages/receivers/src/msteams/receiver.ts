import { faultInWords } from '@hnotif/judges';
import { isFields, judgeMessage } from '@hnotif/judges/msteams';
import { msteamsMessages } from '../view/bodies.ts';
import { parseJson } from '../body.ts';
import type { Decision, Request } from '../decision.ts';
import { Receiver, type ReceiverOptions } from '../receiver.ts';
import type { MsteamsMessage } from './message.ts';
import { describeMsteamsRecord, type MsteamsFindings } from './record.ts';

export interface MsteamsOptions extends ReceiverOptions {
  /** The signature in the address of the workflow. Default: `made-up-signature`. */
  readonly signature?: string;
  /** Whether the workflow exists and is on. Default: true. */
  readonly isOn?: boolean;
}

/** Starts a workflow; resolves when it listens. */
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
 * A workflow that posts cards into a channel: “When a Teams webhook request is received”, then “Post card in a chat or channel”. It answers
 * 202 before it posts, so its caller does not learn that a card was not posted.
 */
export class MsteamsReceiver extends Receiver<MsteamsFindings> {
  readonly #messages: MsteamsMessage[] = [];
  readonly #signature: string;

  constructor(options: MsteamsOptions) {
    const { signature = SIGNATURE, isOn = true } = options;
    super(options, {
      path: PATH,
      handle: (request) => this.#handle(request, signature, isOn),
      describe: describeMsteamsRecord,
    });
    this.#signature = signature;
  }

  /** The address of the workflow, with its signature. */
  webhookUrl(): string {
    return `${this.url}?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${encodeURIComponent(this.#signature)}`;
  }

  /** The messages in the channel, oldest first. */
  get messages(): readonly MsteamsMessage[] {
    return this.#messages;
  }

  #handle(
    { method, path, body, arrivedAt }: Request,
    signature: string,
    isOn: boolean,
  ): Decision<MsteamsFindings> {
    const url = new URL(path, 'http://workflow.test');
    if (url.pathname !== PATH || !isOn)
      return refusal(404, 'WorkflowNotFound', 'The workflow could not be found.');
    if (method !== 'POST') return refusal(405, 'MethodNotAllowed', 'The method is not allowed.');
    if (url.searchParams.get('sig') !== signature)
      return refusal(401, 'DirectApiAuthorizationRequired', 'The request is not signed by the address.');
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
        return { answer: { status: 202, headers: {}, body: '' }, findings: { message } };
      },
    };
  }
}
