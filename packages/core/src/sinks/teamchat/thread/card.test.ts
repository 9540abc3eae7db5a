import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LifecycleEvent } from '../../../lifecycle/event.ts';
import type { EventKind } from '../../../resources/kinds.ts';
import { expectGolden } from '../../../testing/golden.ts';
import { parseBlocks } from '../blocks.ts';
import { aSource, aTarget, HOSTILE, OPTIONS, TWELVE } from '../presets/testing/sources.ts';
import { type ChatMessage, SCOPES } from '../types.ts';
import { blocksCard, plainCard, textCard } from './card.ts';
import { fold, type Root } from './root.ts';

const { plan } = aSource('Start');
const options = { ...OPTIONS, scopes: SCOPES };

/** The example's events one after another, as a root. */
function rootOf(...events: readonly (readonly [kind: EventKind, more?: Partial<LifecycleEvent>])[]): Root {
  const root = events.reduce<Root | undefined>(
    (before, [kind, more], i) => fold(before, { ...aSource(kind, more).event, seq: i + 1 }),
    undefined,
  );
  if (root === undefined) throw new Error('no event');
  return root;
}

const CASES: readonly (readonly [name: string, root: Root])[] = [
  ['Starting', rootOf(['Start'])],
  ['Starting, wakeup', rootOf(['Start', { operation: 'wakeup' }])],
  ['In Progress, 12 targets', rootOf(['Start'], ['ExecutionProgress', { targets: TWELVE }])],
  ['In Progress, a retry', rootOf(['Start'], ['Recovery', { retryCount: 2 }], ['ExecutionProgress'])],
  ['Completed', rootOf(['Start'], ['Success'])],
  ['Completed, another operation', rootOf(['Success', { operation: 'resize' }])],
  ['Failed', rootOf(['Start'], ['Failure'])],
  [
    'nothing known',
    rootOf(['PhaseChange', { operation: '', phase: '', plan: '', namespace: '', targets: [] }]),
  ],
  ['hostile texts', fold(undefined, HOSTILE.event)],
];

test('cards equal the golden file', async () => {
  const cards = Object.fromEntries(
    CASES.map(([name, root]) => {
      const view = name === 'hostile texts' ? HOSTILE.plan : plan;
      const card = { blocks: blocksCard(root, view, options), text: textCard(root, view, options).text };
      return [name, { ...card, plain: plainCard(root, view).text }];
    }),
  );
  await expectGolden(
    new URL('./golden/cards.json', import.meta.url),
    `${JSON.stringify(cards, undefined, 2)}\n`,
  );
});

const word = fc.oneof(
  fc.constantFrom('', 'night', '<!channel>', '*b*', '```', ':x:', '&amp;', 'a\nb', '<https://e.test|x>'),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
);
const target = fc
  .tuple(word, word, fc.constantFrom('Pending', 'Running', 'Completed', 'Failed', 'Aborted', '<odd>'), word)
  .map(([name, executor, state, message]) => aTarget(name, state, message, executor));
const roots = fc
  .record({
    plan: word,
    namespace: word,
    cycle: word,
    operation: word,
    phase: word,
    errorMessage: fc.oneof(word, fc.string({ unit: 'grapheme', minLength: 1_000, maxLength: 5_000 })),
    retryCount: fc.nat(9),
    targets: fc.array(target, { maxLength: 60 }),
  })
  .map((more) => rootOf(['Failure', more]));

/** Text that could ping a user or make a link; a date is ours. */
const tokens = (message: ChatMessage): string[] =>
  [...JSON.stringify(message).matchAll(/<(?!!date\^)[^>]*>/g)].map(([token]) => token);

test('the card of any plan is within the limits, and its values make no mention and no link', () => {
  fc.assert(
    fc.property(roots, fc.integer({ min: 1, max: 100 }), (root, maxTargets) => {
      const blocks = blocksCard(root, plan, { ...options, maxTargets });
      expect(parseBlocks(JSON.stringify(blocks), '')).toEqual({ ok: true, message: blocks });
      const text = textCard(root, plan, { ...options, maxTargets });
      expect(Buffer.byteLength(text.text)).toBeLessThanOrEqual(4_000);
      const plain = plainCard(root, plan);
      expect(plain.text.length).toBeLessThan(1_000);
      expect([blocks, text, plain].flatMap(tokens)).toEqual([]);
    }),
    { seed: 1, numRuns: 200 },
  );
});

/** The same root, if it kept all texts. */
const uncut = (root: Root, event: LifecycleEvent): Root => {
  const { errorMessage, targets } = event;
  return { ...root, errorMessage, shown: { ...root.shown, targets } };
};

test.each([
  ['long messages', 'é👩‍👩‍👧 ab\r\nc <'.repeat(2_000), 'no quota'],
  ['a message that the error contains', 'no capacity '.repeat(40), 'db: '],
  ['a message as long as an error may be', 'no capacity '.repeat(98), ''],
])('a card is the same as if the root kept all texts: %s', (_, message, before) => {
  const targets = [
    aTarget('db', 'Failed', message),
    aTarget('web', 'Pending', message),
    aTarget('vm', 'Completed', message),
  ];
  for (const errorMessage of [before + message.replaceAll('\r\n', ' '), before]) {
    const { event } = aSource('Failure', { targets, errorMessage });
    const root = fold(undefined, event);
    for (const card of [blocksCard, textCard, plainCard])
      expect(card(root, plan, options)).toEqual(card(uncut(root, event), plan, options));
  }
});

test('a failed target is never left out for one without a failure', () => {
  const targets = [
    ...Array.from({ length: 500 }, (_, i) => aTarget(`t${i}`, 'Completed')),
    aTarget('sad', 'Failed'),
  ];
  const root = rootOf(['Failure', { targets }]);
  for (const card of [blocksCard(root, plan, options), textCard(root, plan, options)]) {
    expect(JSON.stringify(card)).toContain('*sad*');
    expect(JSON.stringify(card)).toContain('… and 493 more');
    expect(JSON.stringify(card)).toContain('[█████████░] 500/501 completed, 1 failed');
  }
});

test('a text in letters of three bytes is short enough for an update', () => {
  const targets = Array.from({ length: 40 }, (_, i) =>
    aTarget(`界${i}`.repeat(20), 'Failed', '界'.repeat(300)),
  );
  const root = rootOf(['Failure', { targets, errorMessage: '界'.repeat(5_000) }]);
  const { text } = textCard(root, plan, { ...options, maxTargets: 100 });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000);
  expect(text).toContain('[░░░░░░░░░░] 0/40 completed, 40 failed');
  expect(text).toContain('*Error:* 界');
  expect(text).toContain('more');
});

test('a run that completed although targets failed has no white check mark', () => {
  const targets = [aTarget('a', 'Completed'), ...'bcd'.split('').map((name) => aTarget(name, 'Failed'))];
  const root = rootOf(['Start'], ['Success', { targets }]);
  const [blocks, text, plain] = [
    blocksCard(root, plan, options),
    textCard(root, plan, options),
    plainCard(root, plan),
  ];
  expect(JSON.stringify(blocks)).toContain(':warning: Hibernation Completed — web-shop');
  expect(JSON.stringify(blocks)).toContain('```\\n[██░░░░░░░░] 1/4 completed, 3 failed\\n```');
  expect(text.text).toMatch(
    /^:warning: \*Hibernation Completed\*\n\[██░░░░░░░░\] 1\/4 completed, 3 failed\n\*Plan:\* web-shop\n/,
  );
  expect(plain.text).toBe('Hibernation Completed: shop-eu/web-shop — [██░░░░░░░░] 1/4 completed, 3 failed');
  expect(JSON.stringify(blocksCard(rootOf(['Success']), plan, options))).toContain(':white_check_mark: ');
});

test('a card shows retries, what is retried, how long the run took, and links', () => {
  const view = { ...plan, retries: 3, annotations: { 'hibernation.dev/runbook-url': 'https://wiki.test/' } };
  const cards = (root: Root): string[] =>
    [blocksCard(root, view, options), textCard(root, view, options)].map((card) => JSON.stringify(card));
  const retrying = rootOf(['Start'], ['Recovery', { retryCount: 1 }]);
  for (const card of cards(retrying)) {
    expect(card).toContain('*Retries:* 1 of 3');
    expect(card).toContain('*Retrying:* build-machines');
    expect(card).toContain('<https://wiki.test/|Runbook>');
    expect(card).not.toContain('Duration');
  }
  const done = rootOf(['Start'], ['Success', { startedAt: '2026-03-02T19:46:05.000Z' }]);
  for (const card of cards(done)) expect(card).toContain('*Duration:* 13 min 55 s');
});

test('at the beginning a card has its targets on one line', () => {
  const card = JSON.stringify(blocksCard(rootOf(['Start']), plan, options));
  expect(card).toContain('*Targets*\\norders-db, app-nodes, build-machines"');
});
