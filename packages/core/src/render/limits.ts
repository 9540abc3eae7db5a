/** The limits of custom templates. The pool, its workers and docs/templates.md use this table. */
export const TEMPLATE_LIMITS = {
  execution: {
    value: 1000,
    unit: 'ms',
    help: 'of CPU time for an execution; waiting for a processor does not count',
  },
  // The last resort. A busy machine makes a template late, which is no reason to send another text.
  answer: {
    value: 15_000,
    unit: 'ms',
    help: 'of wall time to parse a template and its data, and as much to execute it, until the worker is ended',
  },
  source: { value: 64 << 10, unit: 'characters', help: 'is the longest template; a longer one is not read' },
  held: {
    value: 16 << 20,
    unit: 'characters',
    help: 'of templates are held in all; one namespace alone has at most half of it',
  },
  output: { value: 1 << 20, unit: 'characters', help: 'is the longest output; receivers take far less' },
  heap: { value: 128, unit: 'MiB', help: 'of memory for a worker, all in all' },
  workers: {
    value: 2,
    unit: 'workers',
    help: 'at most, each with templates of one namespace at a time; one namespace alone has one of them, and namespaces take turns',
  },
  // A message between threads costs as much as a small template.
  batch: { value: 16, unit: 'messages', help: 'of one namespace are given to a worker at once' },
  batchTargets: {
    value: 1_000,
    unit: 'targets',
    help: 'of their events in all, or one message: the copy for the worker must not hold up deliveries',
  },
  turn: { value: 5, unit: 'ms', help: 'after which a worker begins no other message of its batch' },
  start: { value: 10_000, unit: 'ms', help: 'for a worker to start' },
  idle: { value: 60_000, unit: 'ms', help: 'without work, and a worker is ended' },
  compiled: { value: 100, unit: 'templates', help: 'that a worker keeps parsed: those used last' },
  compiledSize: { value: 256 << 10, unit: 'characters', help: 'of templates that a worker keeps parsed' },
  checked: { value: 1000, unit: 'templates', help: 'whose check results are cached' },
  // A third of one worker: an ordinary template takes less than a millisecond, so this is tens of thousands of messages.
  budget: {
    value: 20_000,
    unit: 'ms',
    help: 'of worker time (CPU time) for the templates of a namespace in any minute; one template alone has at most half of it',
  },
  wasted: { value: 5, unit: 'times', help: 'its time counts a run that meets a limit' },
  slow: {
    value: 5_000,
    unit: 'ms',
    help: 'of waiting for a worker, and `hnotif_sinks_waiting` shows the namespace',
  },
} as const;
