import { afterEach } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver, type WebhookReceiverOptions } from '../src/index.ts';

/** A function that starts receivers for a test file. Each is closed after its test. */
export function receiversOfTest(): (options?: WebhookReceiverOptions) => Promise<WebhookReceiver> {
  const running: WebhookReceiver[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((receiver) => receiver.close()));
  });
  return async (options) => {
    const receiver = await startWebhookReceiver(options);
    running.push(receiver);
    return receiver;
  };
}
