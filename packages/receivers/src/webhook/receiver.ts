import { Receiver, type ReceiverOptions, type ReceiverStats } from '../receiver.ts';
import { makeChecks } from './checks.ts';
import { describeRecord, type WebhookFindings } from './record.ts';

export interface WebhookReceiverOptions extends ReceiverOptions {
  /** The only path that accepts messages; others answer 404. Default: all do, and `url` ends with `/`. */
  readonly path?: string;
  /** JSON Schema (draft 2020-12) for all bodies. An invalid body is answered 422. Default: all bodies are accepted. */
  readonly schema?: object;
  /**
   * Standard Webhooks secrets (`whsec_…`). A message without a signature of one of them is answered 401. Default: none, signatures are
   * not checked.
   */
  readonly signingSecrets?: readonly string[];
}

export interface WebhookStats extends ReceiverStats {
  readonly invalidSignatures: number;
  readonly schemaFailures: number;
}

/** Starts a receiver. Resolves when it listens. Rejects for an invalid schema, secret or `keep`. */
export async function startWebhookReceiver(options: WebhookReceiverOptions = {}): Promise<WebhookReceiver> {
  const receiver = new WebhookReceiver(options);
  await receiver.listen();
  return receiver;
}

/** A webhook endpoint that stores and checks all requests, and has faults on request. */
export class WebhookReceiver extends Receiver<WebhookFindings> {
  readonly #counts = { invalidSignatures: 0, schemaFailures: 0 };

  constructor(options: WebhookReceiverOptions) {
    const { path, schema, signingSecrets } = options;
    const handle = makeChecks({ path, schema, signingSecrets });
    super(options, { path: path ?? '/', handle, describe: describeRecord });
    this.onRecord(({ signature, schemaErrors }) => {
      if (signature === 'invalid') this.#counts.invalidSignatures++;
      if (schemaErrors.length > 0) this.#counts.schemaFailures++;
    });
  }

  override stats(): WebhookStats {
    return { ...super.stats(), ...this.#counts };
  }
}
