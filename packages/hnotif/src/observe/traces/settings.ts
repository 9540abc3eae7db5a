import type { Attributes } from './span.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Where traces go, and which. */
export interface TraceSettings {
  readonly endpoint: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Attributes;
  /** The part of the traces that is sent, from 0 to 1. */
  readonly ratio: number;
}

/** The settings, and what could not be read of them: one sentence each, which names the variable and never shows its value. */
export interface ReadSettings {
  /** Undefined: no traces. */
  readonly settings: TraceSettings | undefined;
  readonly problems: readonly string[];
}

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const TRACES_ENDPOINT = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
const HEADERS = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];
const PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];

/** A name of a header (RFC 9110, token), and a value without control characters. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Longer lists are not read: they are a mistake. */
const LONGEST_LIST = 16_384;

/** Reads the standard environment variables of OpenTelemetry. As its specification demands, a value that cannot be read is ignored. */
export function readTraceSettings(env: Env): ReadSettings {
  const problems = switchProblems(env);
  const endpoint = endpointOf(env, problems);
  if (endpoint === undefined) return { settings: undefined, problems };
  const [protocol] = PROTOCOLS.filter((name) => (env[name] ?? '') !== '');
  if (protocol !== undefined && env[protocol] !== 'http/json')
    problems.push(
      `${protocol} asks for another protocol than http/json, the only one that hnotif speaks: set it to http/json, and the endpoint to the collector's HTTP port (usually 4318)`,
    );
  const headers: Record<string, string> = {};
  for (const variable of HEADERS)
    for (const [name, value] of pairsOf(env, variable, problems))
      if (HEADER_NAME.test(name) && HEADER_VALUE.test(value)) headers[name.toLowerCase()] = value;
      else
        problems.push(`${variable} has an entry that is not a header: write name=value, separated by commas`);
  const attributes = Object.fromEntries(pairsOf(env, 'OTEL_RESOURCE_ATTRIBUTES', problems));
  const { OTEL_SERVICE_NAME: name = '' } = env;
  const resource = { 'service.name': 'hnotif', ...attributes, ...(name !== '' && { 'service.name': name }) };
  return { settings: { endpoint, headers, resource, ratio: ratioOf(env, problems) }, problems };
}

/** The values that switch traces off (`wanted.ts`) are not seen here. */
function switchProblems({
  OTEL_SDK_DISABLED: disabled = '',
  OTEL_TRACES_EXPORTER: exporter = '',
}: Env): string[] {
  return [
    ...(/^(false)?$/i.test(disabled) ? [] : ['OTEL_SDK_DISABLED is neither true nor false: false is taken']),
    ...(/^(otlp)?$/.test(exporter)
      ? []
      : ['OTEL_TRACES_EXPORTER is neither otlp nor none, the only ones that hnotif has: otlp is taken']),
  ];
}

function endpointOf(env: Env, problems: string[]): URL | undefined {
  const variable = (env[TRACES_ENDPOINT] ?? '') === '' ? ENDPOINT : TRACES_ENDPOINT;
  const text = env[variable] ?? '';
  if (text === '') {
    problems.push(
      `OTEL_TRACES_EXPORTER asks for traces, but ${ENDPOINT} is not set: set it to the collector's HTTP port (usually 4318); no traces are sent`,
    );
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    problems.push(`${variable} is not an http or https URL: no traces are sent`);
    return undefined;
  }
  if (url.username !== '' || url.password !== '') {
    problems.push(
      `${variable} has a user name or password: put it into OTEL_EXPORTER_OTLP_HEADERS; no traces are sent`,
    );
    return undefined;
  }
  // The common endpoint is the base of the signals' paths. That of the traces is used as it is.
  if (variable === ENDPOINT) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url;
}

/** `key=value,key2=value2`, with percent-encoded values. */
function pairsOf(env: Env, variable: string, problems: string[]): [string, string][] {
  const text = env[variable] ?? '';
  if (text.length > LONGEST_LIST) {
    problems.push(`${variable} is longer than ${LONGEST_LIST} characters and is ignored`);
    return [];
  }
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap((part): [string, string][] => {
      const at = part.indexOf('=');
      const value = decoded(part.slice(at + 1).trim());
      if (at > 0 && value !== undefined) return [[part.slice(0, at).trim(), value]];
      problems.push(
        `${variable} has an entry that is not name=value, or is not percent-encoded: it is ignored`,
      );
      return [];
    });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** No trace of hnotif has a parent, so samplers by parent are those that they name. */
function ratioOf(env: Env, problems: string[]): number {
  const { OTEL_TRACES_SAMPLER: sampler = '', OTEL_TRACES_SAMPLER_ARG: argument = '' } = env;
  switch (sampler.replace(/^parentbased_/, '')) {
    case '':
    case 'always_on':
      return 1;
    case 'always_off':
      return 0;
    case 'traceidratio': {
      const ratio = argument === '' ? 1 : Number(argument);
      if (ratio >= 0 && ratio <= 1) return ratio;
      problems.push('OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1: all traces are sent');
      return 1;
    }
    default:
      problems.push(
        'OTEL_TRACES_SAMPLER is none of always_on, always_off and traceidratio (each also with parentbased_): all traces are sent',
      );
      return 1;
  }
}
