import { describe, expect, it } from 'vitest';
import { readTraceSettings } from './settings.ts';
import { wantsTraces } from './wanted.ts';

const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const read = (env: Readonly<Record<string, string>>) => readTraceSettings({ ...BASE, ...env });

describe('the endpoint', () => {
  it.each([
    ['http://collector:4318', 'http://collector:4318/v1/traces'],
    ['http://collector:4318/', 'http://collector:4318/v1/traces'],
    ['https://collector/otlp', 'https://collector/otlp/v1/traces'],
  ])('%s is the base of %s', (endpoint, url) => {
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).settings?.endpoint.href).toBe(url);
  });

  it('of traces is used as it is, and comes first', () => {
    const { settings } = read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other:1/x' });
    expect(settings?.endpoint.href).toBe('http://other:1/x');
  });

  it.each(['collector:4317', 'grpc://collector:4317', 'not a url', 'http://user:hunter2@collector'])(
    '%s is refused, and not shown',
    (endpoint) => {
      const { settings, problems } = read({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
      expect(settings).toBeUndefined();
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain('OTEL_EXPORTER_OTLP_ENDPOINT');
      expect(problems[0]).not.toContain(endpoint);
    },
  );
});

describe('headers and attributes', () => {
  it('are lists with percent-encoded values; those of traces come last', () => {
    const { settings, problems } = read({
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpiPQ==, x-a=1',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-a=2',
      OTEL_RESOURCE_ATTRIBUTES: 'k8s.pod.name=a%2Cb,service.name=other',
    });
    expect(problems).toEqual([]);
    expect(settings?.headers).toEqual({ authorization: 'Basic YTpiPQ==', 'x-a': '2' });
    expect(settings?.resource).toEqual({ 'service.name': 'other', 'k8s.pod.name': 'a,b' });
  });

  it('name the service hnotif, unless OTEL_SERVICE_NAME has another name', () => {
    expect(read({}).settings?.resource).toEqual({ 'service.name': 'hnotif' });
    const named = read({ OTEL_SERVICE_NAME: 'nights', OTEL_RESOURCE_ATTRIBUTES: 'service.name=other' });
    expect(named.settings?.resource).toEqual({ 'service.name': 'nights' });
  });

  it.each(['secret', '=secret', 'a b=secret', 'x-a=secret%0d%0ax: y', 'x-a=secret%'])(
    'the header %s is left out, named by its variable, and not shown',
    (text) => {
      const { settings, problems } = read({ OTEL_EXPORTER_OTLP_HEADERS: `${text},x-b=1` });
      expect(settings?.headers).toEqual({ 'x-b': '1' });
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain('OTEL_EXPORTER_OTLP_HEADERS');
      expect(problems[0]).not.toContain('secret');
    },
  );

  it('that are too long are ignored', () => {
    const { settings, problems } = read({ OTEL_RESOURCE_ATTRIBUTES: `a=${'x'.repeat(20_000)}` });
    expect(settings?.resource).toEqual({ 'service.name': 'hnotif' });
    expect(problems).toEqual(['OTEL_RESOURCE_ATTRIBUTES is longer than 16384 characters and is ignored']);
  });
});

it.each([
  ['', '', 1, 0],
  ['always_on', '', 1, 0],
  ['parentbased_always_off', '', 0, 0],
  ['traceidratio', '0.25', 0.25, 0],
  ['parentbased_traceidratio', '', 1, 0],
  ['traceidratio', '7', 1, 1],
  ['traceidratio', 'x', 1, 1],
  ['jaeger_remote', '', 1, 1],
])('the sampler %s %s sends %d of the traces', (sampler, argument, ratio, faults) => {
  const { settings, problems } = read({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument });
  expect([settings?.ratio, problems.length]).toEqual([ratio, faults]);
});

it('another protocol than http/json is told of', () => {
  expect(read({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }).problems).toEqual([]);
  expect(read({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).problems[0]).toMatch(
    /^OTEL_EXPORTER_OTLP_PROTOCOL asks/,
  );
});

it.each([
  ['OTEL_SDK_DISABLED', 'maybe'],
  ['OTEL_SDK_DISABLED', '1'],
  ['OTEL_TRACES_EXPORTER', 'jaeger'],
  ['OTEL_TRACES_EXPORTER', 'otlp,console'],
])('%s=%s is told of, and traces are sent', (name, value) => {
  const { settings, problems } = read({ [name]: value });
  expect(settings).toBeDefined();
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} is neither .* is taken$`))]);
});

it('an exporter without an endpoint is told of', () => {
  const env = { OTEL_TRACES_EXPORTER: 'otlp' };
  expect(wantsTraces(env)).toBe(true);
  expect(readTraceSettings(env)).toEqual({
    settings: undefined,
    problems: [expect.stringContaining('but OTEL_EXPORTER_OTLP_ENDPOINT is not set')],
  });
  expect(read({ ...env, OTEL_SDK_DISABLED: 'False' }).problems).toEqual([]);
});

it('traces are wanted with an endpoint, unless they are switched off', () => {
  expect(wantsTraces({})).toBe(false);
  expect(wantsTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBe(false);
  expect(wantsTraces(BASE)).toBe(true);
  expect(wantsTraces({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://a' })).toBe(true);
  expect(wantsTraces({ ...BASE, OTEL_SDK_DISABLED: 'TRUE' })).toBe(false);
  expect(wantsTraces({ ...BASE, OTEL_SDK_DISABLED: 'no' })).toBe(true);
  expect(wantsTraces({ ...BASE, OTEL_TRACES_EXPORTER: 'none' })).toBe(false);
});
