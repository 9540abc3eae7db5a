/** Hostile events. */
import fc from 'fast-check';
import type { Source } from '@hnotif/core/render';
import { EVENT_KINDS } from '@hnotif/core/resources';

/** Texts with a meaning for a receiver, a template or a terminal. */
const EVIL = [
  ...'<!channel> <!here|x> <@U012AB> <#C012AB> <!subteam^S1> <!date^0^{date}|x> <!everyone>'.split(' '),
  ...'<https://e.test|Reset> https://e.test/?a=b&c www.e.test mailto:a@e.test a@e.test'.split(' '),
  ...'[x](https://e.test) @all @channel @someone_else #tag $USD /start /start@some_bot'.split(' '),
  ...'tg://user?id=1 <b> </b> &lt; &amp;lt; &#60; & < > " \''.split(' '),
  ...'* _ ~ ` \\ [ ] ( ) ! . - = | { } + ``` || ** __ \\\\'.split(' '),
  '<a href="tg://user?id=1">',
  ...['{{ .Plan }}', '{{', '}}', '%s', '%!s(MISSING)', '> quoted', '&gt; quoted'],
  ...':smile: :x: :white_check_mark: \n \r\n \t \u0000 \u001b[31m \u0007 \u2028 \u200b \u2060'.split(' '),
  ...'\ufeff \ud83d \udc00 \ufffd \u202e \u2066 שלום مرحبا 日本語 👩‍👩‍👧‍👦 🇺🇦 🌙'.split(' '),
  ...['é'.normalize('NFD'), `a${'\u0301'.repeat(70)}`],
];

const phrase = fc
  .array(fc.oneof(fc.constantFrom(...EVIL), fc.constantFrom('word', ' ', ' is ', '42')), { maxLength: 10 })
  .map((parts) => parts.join(''));
const long = fc
  .tuple(fc.constantFrom(...EVIL, 'x', 'word '), fc.constantFrom(10, 100, 1_000, 5_000))
  .map(([part, times]) => part.repeat(times));
const text = fc.oneof(
  { weight: 6, arbitrary: phrase },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom('', ' ', 'orders-db', 'Failed') },
  { weight: 1, arbitrary: long },
);
const state = fc.oneof(fc.constantFrom('Pending', 'Running', 'Completed', 'Failed', 'Aborted'), text);
const target = fc.record({ name: text, executor: text, state, message: text });
const brief = fc.record({ name: phrase, executor: phrase, state: phrase, message: phrase });
const targets = fc.oneof(
  { weight: 200, arbitrary: fc.array(target, { maxLength: 12 }) },
  { weight: 20, arbitrary: fc.array(target, { minLength: 40, maxLength: 60, size: 'max' }) },
  {
    weight: 1,
    // The API server accepts plans of some megabytes. So ten thousand targets have short texts.
    arbitrary: fc
      .tuple(brief, brief)
      .map((two) => Array.from({ length: 10_000 }, (_, i) => two[i % 2] ?? two[0])),
  },
);
const connector = fc.record({
  kind: fc.oneof(fc.constantFrom('CloudProvider', 'K8SCluster', ''), text),
  name: text,
  provider: text,
  accountId: text,
  projectId: text,
  region: text,
  clusterName: text,
});

/** Connectors with short texts: with longer ones, the JSON of ten thousand targets is longer than a string may be. */
const NEARBY = {
  kind: 'CloudProvider',
  name: 'aws & <more>',
  provider: 'aws',
  accountId: '*123*',
  projectId: '',
  region: 'eu-west-1',
  clusterName: '',
};

const address = fc.oneof(
  text,
  text.map((path) => `https://e.test/${path}`),
  text.map((host) => `https://${host}@e.test/`),
  fc.constantFrom(
    'http://e.test',
    'tg://user?id=1',
    'javascript:alert(1)',
    `https://e.test/${'&'.repeat(99)}`,
  ),
);
const links = fc.dictionary(
  fc.constantFrom('hibernation.dev/runbook-url', 'hibernation.dev/dashboard-url'),
  address,
  { maxKeys: 2 },
);
const time = fc.oneof(fc.constantFrom('', 'soon', '2026-03-02T20:00:00Z', '2026-03-02T20:13:55Z'), text);

/** An event of any kind with any texts that a plan can have. The times are from hnotif. */
export const hostileSource: fc.Arbitrary<Source> = fc
  .record({
    kind: fc.constantFrom(...EVENT_KINDS),
    namespace: text,
    plan: text,
    cycle: text,
    operation: fc.oneof(fc.constantFrom('shutdown', 'wakeup', ''), text),
    phase: text,
    previousPhase: text,
    timestamp: fc
      .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    targets,
    targetExecution: fc.option(target, { nil: undefined }),
    errorMessage: text,
    retryCount: fc.nat({ max: 2 ** 31 - 1 }),
    labels: fc.dictionary(fc.oneof(fc.constantFrom('env', 'environment'), text), text, { maxKeys: 3 }),
    connector,
    startedAt: fc.option(time, { nil: undefined }),
    view: fc.record({ annotations: links, notification: links, retries: fc.nat({ max: 2 ** 31 - 1 }) }),
    times: fc.record({ startedAt: time, finishedAt: time }),
  })
  .map(({ labels, connector: place, view, times, ...event }) => ({
    event: { id: 'e', seq: 1, planUid: 'u', run: 1, ...event },
    plan: {
      ...view,
      labels,
      annotations: { ...labels, ...view.annotations },
      connector: () => (event.targets.length > 100 ? NEARBY : place),
      work: (name: string) => {
        const found = event.targets.find((each) => each.name === name);
        return found && { ...times, executor: found.executor, state: found.state };
      },
    },
    sinkName: 'fuzz',
    sinkType: 'teamchat',
  }));

/** Events of one operation of one plan, one after the other. */
export const hostileThread: fc.Arbitrary<readonly Source[]> = fc
  .array(hostileSource, { minLength: 2, maxLength: 6 })
  .map((sources) => {
    const [first] = sources;
    return sources.map((source, index) => {
      const { plan, namespace, cycle, operation } = first?.event ?? source.event;
      return {
        ...source,
        event: { ...source.event, plan, namespace, cycle, operation, id: `e${index}`, seq: index + 1 },
      };
    });
  });
