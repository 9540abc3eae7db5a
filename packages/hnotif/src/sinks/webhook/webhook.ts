import { type SinkDefinition, sinkOf } from '../definition.ts';
import { readWebhookConfig } from './config.ts';
import { webhookSink } from './deliver.ts';

/** Any HTTP server, by the rules of Standard Webhooks. */
export const WEBHOOK: SinkDefinition = {
  read: (json, settings) =>
    sinkOf(
      readWebhookConfig(json, (url) => settings.transport.problem(url)),
      (config) => webhookSink(config, settings),
    ),
  dropsRepeats: true,
  showsLinks: false,
  outputProblem: () => undefined,
};
