import {
  ANSWERS,
  OTHER_ANSWERS,
  PAGES,
  type AnswerRow,
} from '../packages/core/src/sinks/botchat/outcome-rows.ts';
import { DEGRADATIONS } from '../packages/core/src/sinks/degradation.ts';
import { SINK_TYPES } from '@hnotif/core/resources';
import type { HookAnswers } from '../packages/core/src/sinks/hook-answers.ts';
import { SINKS } from '@hnotif/core/sinks';
import type { OutcomeRow } from '../packages/core/src/sinks/outcome-table.ts';
import type { ProofRow } from '../packages/core/src/sinks/proof.ts';
import { PROOFS } from '../packages/core/src/sinks/proofs.ts';
import { ROWS } from '../packages/core/src/sinks/teamchat/outcome-rows.ts';
import { OTHER, STATUSES } from '../packages/core/src/sinks/webhook/outcomes.ts';
import { FAILURES } from '@hnotif/core/requests';
import { code, table } from './markdown.ts';

const DOES: Readonly<Record<OutcomeRow['kind'], string>> = {
  throttled: 'waits for the time that the receiver names, else tries again',
  transient: 'tries again',
  ambiguous: 'tries again with the same id: it may have arrived',
  'rejected-payload': 'sends a plainer message, if there is one',
  'rejected-configuration': 'quarantines the sink until someone corrects its configuration',
};

const HEAD = ['the receiver answers', 'reason', 'hnotif', 'what to do'];

/** `without`: what the user has not where the row's other remedy is said. */
const rowOf = (answer: string, row: OutcomeRow, without = 'without a template'): string[] => {
  const { reason, kind, remedy, otherwise = remedy } = row;
  return [
    answer,
    code(reason),
    DOES[kind],
    otherwise === remedy ? remedy : `${remedy}; ${without}: ${otherwise}`,
  ];
};

const rowsOf = (rows: Readonly<Record<string, OutcomeRow>>, without?: string): string[][] =>
  Object.entries(rows).map(([answer, row]) => rowOf(code(answer), row, without));

const botRow = ({ codes, says, ...row }: AnswerRow): string[] =>
  rowOf(
    [codes.map((each) => code(String(each))).join(', '), says.map((text) => `“${text}”`).join(', ')]
      .filter(Boolean)
      .join(': '),
    row,
  );

const proofsOf = (proofs: Readonly<Record<string, ProofRow>>): string =>
  table(
    ['the receiver answers', 'the message', 'hnotif'],
    Object.values(proofs).map(({ answer, proves, then, degradation }) => [
      answer,
      proves,
      degradation === undefined ? then : `${then}; reported as ${code(degradation)}`,
    ]),
  );

/** The sinks whose answers are told by their status. */
const HOOKS = SINK_TYPES.flatMap((type) => {
  const { hook, receiver } = SINKS[type];
  return hook === undefined ? [] : [{ type, receiver, hook }];
});

const statusTable = (
  {
    statuses,
    others,
  }: {
    readonly statuses: HookAnswers['statuses'];
    readonly others: Omit<HookAnswers['others'], 'foreign'>;
  },
  without?: string,
) => [
  ...rowsOf(statuses, without),
  rowOf('another 3xx', others.redirect),
  rowOf('another 4xx', others.other4xx),
  rowOf('another 5xx', others.other5xx),
];

/** All tables of proofs, by their titles. */
const ALL_PROOFS = {
  ...PROOFS,
  ...Object.fromEntries(HOOKS.map(({ type, hook }) => [`An incoming webhook of ${type}`, hook.proofs])),
};

/** `docs/receivers.md`: what each receiver's answers mean, from the tables that decide it. */
export const receiversPage =
  (): string => `<!-- Written by scripts/docs.ts from the tables in packages/core/src/sinks and transport: change those, then run
node --import tsx scripts/docs.ts -->

# What receivers answer, and what hnotif does

The reason is the word in the log, in metrics, in the sink's row of the notification's status and in Events. “Tries again” is up to three
times, 0.5 s to 5 s apart; where that does not help, the sink is parked, or this one delivery waits if others of the sink arrive. To a
sink that is parked or quarantined nothing goes but one request now and then (after 30 s, then twice the time, up to 10 min, and as soon as
its secret is another one); everything waits for it until it is too old. Redirects are never followed.

## What proves that a message has arrived

A message that has arrived is never sent again. One that may have arrived is sent again, so that no message is lost: a webhook drops the
duplicate by its \`webhook-id\`, a thread looks into the history of the channel first, and the other chats may show it twice. A success of
an unknown form counts as an arrival, except where only another service can have given it.

${Object.entries(ALL_PROOFS)
  .map(([title, proofs]) => `### ${title}\n\n${proofsOf(proofs)}`)
  .join('\n\n')}

## teamchat

An incoming webhook (\`delivery_mode: channel\`) answers with a word as text:

${table(HEAD, rowsOf(ROWS.webhook.words))}

Where no known word comes, the status tells:

${table(HEAD, [
  ...rowsOf(ROWS.webhook.statuses),
  rowOf('another 3xx', ROWS.webhook.redirect),
  rowOf('another 4xx', ROWS.webhook.other4xx),
  rowOf('another 5xx', ROWS.webhook.other5xx),
  rowOf('a success with a web page', ROWS.webhook.page),
])}

The Web API (\`delivery_mode: thread\`) answers 200 and a word under \`error\`. Its messages are made without templates:

${table(HEAD, rowsOf(ROWS.api.words))}

Where no word comes, the status tells:

${table(HEAD, [
  ...rowsOf(ROWS.api.statuses),
  rowOf('another 3xx', ROWS.api.redirect),
  rowOf('another 4xx, or another word', ROWS.api.other4xx),
  rowOf('another 5xx', ROWS.api.other5xx),
  rowOf('a web page', ROWS.api.page),
  rowOf('a success that cannot be read', ROWS.api.unreadable),
])}

## botchat

The Bot API answers with a code and a description; the first row that fits is taken:

${table(HEAD, [
  ...PAGES.map((row) => [`a web page, ${String(botRow(row)[0])}`, ...botRow(row).slice(1)]),
  ...ANSWERS.map(botRow),
  rowOf('another success', OTHER_ANSWERS.strange),
  rowOf('3xx', OTHER_ANSWERS.redirect),
  rowOf('another 4xx', OTHER_ANSWERS.refused),
  rowOf('another 5xx', OTHER_ANSWERS.failing),
])}

## webhook

There is no plainer message than the payload: one that is refused has failed.

${table(HEAD, [
  ...statusTable({ statuses: STATUSES, others: OTHER }, 'without headers').map((cells) =>
    cells.map((cell) => (cell === DOES['rejected-payload'] ? 'ends the delivery as failed' : cell)),
  ),
])}

${HOOKS.map(
  ({ type, receiver, hook }) => `## ${type}

The address of ${receiver} answers with a status${hook.codes === undefined ? '' : ', and some answers with a code'}:

${table(HEAD, [...rowsOf(hook.codes ?? {}), ...statusTable(hook), rowOf('another success, such as a web page', hook.others.foreign)])}

`,
).join('')}A 503 with \`Retry-After\` is taken as a 429 with one, at every receiver.

## No answer at all

Before anything was sent, hnotif tries again; afterwards it does so with the same id, since the message may have arrived.
\`EgressRefused\`, \`InsecureUrl\` and \`InvalidRequest\` quarantine the sink at once. \`LookupWaited\` and \`TooManyOpenFiles\` are not the fault of the
receiver: they count as no attempt, and the request comes again after 2 s; the log says it.

${table(
  ['reason', 'meaning'],
  Object.entries(FAILURES).map(([reason, meaning]) => [code(reason), meaning]),
)}

## Messages that arrive in a plainer form

Counted in \`hnotif_messages_degraded_total\` by reason, logged, told as an Event, and shown in the notification's \`Ready\` condition
(reason \`MessagesDegraded\`) until a message of the same kind arrives in the configured form.

${table(
  ['reason', 'meaning'],
  Object.entries(DEGRADATIONS).map(([reason, meaning]) => [code(reason), meaning]),
)}
`;
