import type { Logger } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import { VERSION } from '@hnotif/core/version';
import type { Metrics } from '../observe/metrics.ts';
import { SpanExporter } from '../observe/traces/exporter.ts';
import { OtlpClient } from '../observe/traces/otlp.ts';
import { readTraceSettings } from '../observe/traces/settings.ts';
import { Traces } from './traces.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Starts to export traces as the environment says. Undefined: its endpoint cannot be used, which is logged. */
export function openTraces(
  env: Env,
  { clock, log, metrics }: { readonly clock: Clock; readonly log: Logger; readonly metrics: Metrics },
): Traces | undefined {
  const { settings, problems } = readTraceSettings(env);
  for (const problem of problems) log.warn({ problem }, 'traces: a setting is ignored');
  if (settings === undefined) return undefined;
  const { origin } = settings.endpoint;
  const client = new OtlpClient(settings, clock, VERSION);
  const exporter = new SpanExporter({
    clock,
    send: (spans, signal) => client.send(spans, signal),
    count: (result, spans) => {
      metrics.traceSpans.inc({ result }, spans);
    },
    changed: (error) => {
      if (error === undefined) log.info({ collector: origin }, 'traces are sent again');
      else
        log.warn({ collector: origin, detail: detailOf(error) }, 'traces cannot be sent; spans are dropped');
    },
  });
  log.info({ collector: origin }, 'traces are sent');
  return new Traces({
    clock,
    ratio: settings.ratio,
    spans: exporter,
    end: async (enough) => {
      await exporter.close(enough);
      await client.close();
    },
  });
}

/** Node's error for a name with several addresses has no message, only a code. */
const detailOf = (error: NodeJS.ErrnoException): string => error.message || (error.code ?? error.name);
