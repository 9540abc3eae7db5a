/** What bounds custom templates. One table: the pool, its workers and docs/templates.md are fed from it. */
export const TEMPLATE_LIMITS = {
  execution: {
    value: 1000,
    unit: 'ms',
    help: 'for an execution; parsing the template and its data have as much again',
  },
  grace: { value: 250, unit: 'ms', help: 'more until a worker that does not stop by itself is ended' },
  source: { value: 256 << 10, unit: 'characters', help: 'is the longest template' },
  output: { value: 1 << 20, unit: 'characters', help: 'is the longest output; receivers take far less' },
  heap: { value: 128, unit: 'MiB', help: 'of memory for a worker, all in all' },
  workers: {
    value: 2,
    unit: 'workers',
    help: 'at most, each with one template at a time; templates take turns',
  },
  start: { value: 10_000, unit: 'ms', help: 'for a worker to start' },
  idle: { value: 60_000, unit: 'ms', help: 'without work, and a worker is ended' },
  compiled: { value: 100, unit: 'templates', help: 'that a worker keeps parsed: those used last' },
  compiledSize: { value: 256 << 10, unit: 'characters', help: 'of templates that a worker keeps parsed' },
  costly: {
    value: 200,
    unit: 'ms',
    help: 'of work before a template meets one of its limits, and it has cost too much',
  },
  strikes: { value: 2, unit: 'times', help: 'too much, and the template is suspended' },
  strikeWindow: { value: 60_000, unit: 'ms', help: 'is the time within which they count' },
  suspension: {
    value: 300_000,
    unit: 'ms',
    help: 'for which a suspended template is not tried, unless it is changed',
  },
} as const;
