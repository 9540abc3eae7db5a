import { expect, it, onTestFinished } from 'vitest';
import { metricsOf, NAMESPACE, World } from './support/world.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { ok, startAnswering } from '../../lab/src/answering.ts';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A span in the protocol's JSON. */
interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly events?: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[];
  readonly status?: { readonly code: number; readonly message: string };
}

interface WireRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

/** A span that a collector has received. */
interface FoundSpan extends Omit<WireSpan, 'attributes' | 'events'> {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

const plain = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** An OpenTelemetry collector on loopback. It accepts everything, or with `silent` it never answers. */
async function startCollector({ silent = false } = {}) {
  const requests: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly text: string }[] =
    [];
  const { origin, close } = await startAnswering(({ path: url, headers, body: text }) => {
    requests.push({ url, headers, text });
    return silent ? { kind: 'hang' } : ok('{}', 'application/json');
  });
  onTestFinished(close);
  const parsed = () => requests.flatMap(({ text }) => (JSON.parse(text) as WireRequest).resourceSpans);
  return {
    url: origin,
    requests,
    resource: (): Record<string, unknown> => plain(parsed()[0]?.resource.attributes ?? []),
    spans: (): FoundSpan[] =>
      parsed()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map(({ attributes, events = [], ...span }) => ({
          ...span,
          attributes: plain(attributes),
          events: events.map(({ name, attributes: of }) => ({ name, attributes: plain(of) })),
        })),
  };
}

/** Sends that fail at once, and probes that never come by themselves. */
const QUICK = { limits: { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 3_600_000, probeMaxMs: 3_600_000 } };

/** A path like that of a webhook whose path is its credential. */
const SECRET_PATH = 'services/T0000/credential';

async function served(...sinks: string[]): Promise<World> {
  const world = await World.start();
  for (const name of sinks) await world.secret(name, { url: `${world.receiver.url}${SECRET_PATH}-${name}` });
  await world.notification('n', { onEvents: ['Start'], sinks });
  await world.plan('orders');
  return world;
}

/** The spans under the delivery to a sink, in their order. */
function partsOf(spans: readonly FoundSpan[], sink: string): readonly FoundSpan[] {
  const ids = new Set(spans.filter(({ name }) => name === 'request').map(({ parentSpanId }) => parentSpanId));
  const delivery = spans.find(
    ({ name, attributes }) => name.startsWith('deliver') && attributes['hnotif.sink'] === sink,
  );
  expect(ids).toContain(delivery?.spanId);
  return spans
    .filter(({ parentSpanId }) => parentSpanId === delivery?.spanId)
    .sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)));
}

const outcomes = (spans: readonly FoundSpan[]): unknown[] =>
  spans.filter(({ name }) => name === 'request').map(({ attributes }) => attributes['hnotif.outcome']);

it('an event is one trace: stored, and for each sink waited, rendered and requested; the next process continues it', async () => {
  const world = await served('good', 'flaky', 'down');
  world.receiver.faults.add({
    match: { path: `/${SECRET_PATH}-flaky` },
    times: 2,
    fault: { kind: 'status', status: 503 },
  });
  const mend = world.receiver.faults.add({
    match: { path: `/${SECRET_PATH}-down` },
    fault: { kind: 'status', status: 500 },
  });
  const collector = await startCollector();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-tenant=nights',
    OTEL_SERVICE_NAME: 'nights',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,k8s.pod.name=p',
  };
  const first = await world.synced({ ...QUICK, env, drainTimeoutMs: 0 });
  await world.hibernate('orders');
  await world.status('n', ({ sinks = [] }) =>
    sinks.every(({ name, state, lastSuccess }) =>
      name === 'down' ? state === 'Parked' : lastSuccess !== undefined,
    ),
  );
  await first.stop();

  const [{ url, headers } = { url: '', headers: {} }] = collector.requests;
  expect(url).toBe('/v1/traces');
  expect(headers).toMatchObject({ authorization: 'Bearer abc', 'x-tenant': 'nights' });
  expect(collector.resource()).toMatchObject({
    'service.name': 'nights',
    'deployment.environment.name': 'test',
    'k8s.pod.name': 'p',
  });
  const before = collector.spans();
  expect(new Set(before.map(({ traceId }) => traceId)).size).toBe(1);
  expect(before.filter(({ name }) => name === 'journal write')).toHaveLength(1);
  const good = partsOf(before, 'good');
  expect(good.map(({ name }) => name)).toEqual(['wait', 'render', 'request']);
  expect(good[2]?.attributes).toMatchObject({
    'hnotif.outcome': 'delivered',
    'http.response.status_code': '200',
  });
  const flaky = partsOf(before, 'flaky');
  expect(outcomes(flaky)).toEqual(['transient', 'transient', 'delivered']);
  expect(flaky.filter(({ name }) => name === 'wait')).toHaveLength(3);
  expect(flaky.find(({ name }) => name === 'request')?.status).toEqual({
    code: 2,
    message: 'ServiceUnavailable',
  });
  // It is parked: its requests are there, its delivery has not ended, so the event has not ended either.
  const parked = before.filter(({ events }) => events.some(({ name }) => name === 'parked'));
  expect(parked).toHaveLength(1);
  expect(parked[0]?.events[0]?.attributes).toMatchObject({ 'hnotif.reason': 'ServerError' });
  const open = parked[0]?.parentSpanId;
  expect(before.map(({ spanId }) => spanId)).not.toContain(open);
  expect(before.map(({ name }) => name)).not.toContain('Start');

  mend();
  const second = await world.synced({ ...QUICK, env });
  await world.received(1, `${SECRET_PATH}-down`);
  await world.status('n', ({ sinks = [] }) => sinks.every(({ lastSuccess }) => lastSuccess !== undefined));
  await second.stop();
  const all = collector.spans();
  expect(new Set(all.map(({ traceId }) => traceId)).size).toBe(1);
  const [root, ...more] = all.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect(more).toEqual([]);
  expect(root).toMatchObject({
    name: 'Start',
    attributes: { 'k8s.namespace.name': NAMESPACE, 'hnotif.plan': 'orders', 'hnotif.event.kind': 'Start' },
  });
  const deliveries = all.filter(
    ({ parentSpanId, name }) => parentSpanId === root?.spanId && name === 'deliver webhook',
  );
  expect(
    deliveries
      .map(({ attributes }) => `${String(attributes['hnotif.sink'])} ${String(attributes['hnotif.result'])}`)
      .sort(),
  ).toEqual(['down delivered', 'flaky delivered', 'good delivered']);
  const down = partsOf(all, 'down');
  expect(down[0]?.parentSpanId).toBe(open);
  expect(outcomes(down)).toEqual(['transient', 'transient', 'transient', 'transient', 'delivered']);
  // Both processes give each span its own id.
  expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(all.length);
  for (const { startTimeUnixNano, endTimeUnixNano } of all)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  const text = collector.requests.map((request) => request.text).join('');
  for (const hidden of ['credential', 'Bearer', world.receiver.url]) expect(text).not.toContain(hidden);
});

it('a collector that never answers delays no message and no stop', async () => {
  const world = await served('good');
  const collector = await startCollector({ silent: true });
  const controller = await world.synced({
    env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/traces` },
  });
  await world.hibernate('orders');
  await world.received(1);
  await controller.stop(AbortSignal.abort());
  expect(collector.requests.map(({ url }) => url)).toEqual(['/traces']);
});

it('an unreachable collector is reported in one line, without a stack', async () => {
  const world = await served('good');
  const controller = await world.synced({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' } });
  await world.hibernate('orders');
  await world.received(1);
  await controller.stop();
  const lines = world.log.filter((line) => line.includes('traces cannot be sent'));
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      collector: 'http://127.0.0.1:1',
      detail: expect.stringMatching(/ECONNREFUSED/) as string,
    }),
  ]);
  expect(lines.join('')).not.toMatch(/stack|\n./);
});

it('without an endpoint, or with OTEL_SDK_DISABLED, nothing is sent', async () => {
  const world = await served('good');
  const collector = await startCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' };
  const controller = await world.synced({ env });
  await world.hibernate('orders');
  await world.received(1);
  expect(await metricsOf(controller)).not.toContain('hnotif_trace_spans_total{');
  await controller.stop();
  expect(collector.requests).toEqual([]);
});

it('an invalid setting is logged by its name, without its value', async () => {
  const world = await served('good');
  await world.synced({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:hunter2@collector:4318',
      OTEL_TRACES_SAMPLER: 'always_on',
    },
  });
  expect(await world.logged(/traces: a setting is ignored/)).toContain(
    'OTEL_EXPORTER_OTLP_ENDPOINT has a user name',
  );
  expect(world.log.join('')).not.toContain('hunter2');
});
