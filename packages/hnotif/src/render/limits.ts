/** What bounds custom templates. One table: the pool, its workers and the documentation are fed from it. */
export const TEMPLATE_LIMITS = {
  execution: { value: 1000, unit: 'ms', help: 'of execution, and as much again for parsing and the data' },
  grace: { value: 250, unit: 'ms', help: 'more until a worker that does not answer is ended' },
  start: { value: 10_000, unit: 'ms', help: 'until a worker has started' },
  source: { value: 256 << 10, unit: 'characters', help: 'of the template itself' },
  output: { value: 1 << 20, unit: 'characters', help: 'of output' },
  heap: { value: 128, unit: 'MiB', help: 'of memory for a worker, everything included' },
  workers: { value: 2, unit: 'workers', help: 'at most; each runs one template at a time' },
  idle: { value: 60_000, unit: 'ms', help: 'without work until a worker is ended' },
  compiled: { value: 100, unit: 'templates', help: 'that a worker keeps parsed, the latest used' },
  compiledSize: { value: 256 << 10, unit: 'characters', help: 'of the templates that a worker keeps parsed' },
  strikes: {
    value: 2,
    unit: 'times',
    help: 'that a template runs too long or takes its worker down until it is suspended',
  },
  strikeWindow: { value: 60_000, unit: 'ms', help: 'in which they are counted' },
  suspension: { value: 300_000, unit: 'ms', help: 'for which a suspended template is not tried' },
} as const;
