import { Receiver, type ReceiverOptions, type ReceiverStats } from '../receiver.ts';
import { makeChecks } from './checks.ts';
import { describeRecord, type WebhookFindings } from './record.ts';

export interface WebhookReceiverOptions extends ReceiverOptions {
  /** The one path that takes messages; others answer 404. Default: all do, and `url` ends with `/`. */
  readonly path?: string;
  /** JSON Schema (draft 2020-12) for every body; what does not satisfy it is answered 422. Default: anything goes. */
  readonly schema?: object;
  /**
   * Standard Webhooks secrets (`whsec_…`); a message that none of them has signed is answered 401. Default: none,
   * signatures are not checked.
   */
  readonly signingSecrets?: readonly string[];
}

export interface WebhookStats extends ReceiverStats {
  readonly invalidSignatures: number;
  readonly schemaFailures: number;
}

/** Starts a receiver; resolves when it listens. Throws (rejects) on a bad schema, secret or `keep`. */
export async function startWebhookReceiver(options: WebhookReceiverOptions = {}): Promise<WebhookReceiver> {
  const receiver = new WebhookReceiver(options);
  await receiver.listen();
  return receiver;
}

/** A webhook endpoint that keeps and checks all it gets, and misbehaves when told to. */
export class WebhookReceiver extends Receiver<WebhookFindings> {
  readonly #counts = { invalidSignatures: 0, schemaFailures: 0 };

  constructor(options: WebhookReceiverOptions) {
    const { path, schema, signingSecrets } = options;
    const judge = makeChecks({ path, schema, signingSecrets });
    super(options, { path: path ?? '/', judge, describe: describeRecord });
    this.onRecord(({ signature, schemaErrors }) => {
      if (signature === 'invalid') this.#counts.invalidSignatures++;
      if (schemaErrors.length > 0) this.#counts.schemaFailures++;
    });
  }

  override stats(): WebhookStats {
    return { ...super.stats(), ...this.#counts };
  }
}
