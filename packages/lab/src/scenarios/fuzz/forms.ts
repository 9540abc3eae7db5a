/** All built-in messages of hnotif, and their checks. */
import { readFileSync } from 'node:fs';
import { faultInWords } from '@hnotif/judges';
import { judgeMessage } from '@hnotif/judges/msteams';
import { descriptionOf, readText } from '@hnotif/judges/telegram';
import { checkTeamchatMessage } from '@hnotif/receivers';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { LifecycleEvent } from '@hnotif/core/lifecycle';
import type { Source } from '@hnotif/core/render';
import { renderBuiltin } from '../../../../core/src/render/builtin.ts';
import { plainFallback } from '../../../../core/src/render/fallback.ts';
import type { EventKind } from '@hnotif/core/resources';
import type { SentText } from '../../../../core/src/sinks/botchat/fit.ts';
import * as bot from '../../../../core/src/sinks/botchat/message.ts';
import type { TeamsMessage } from '../../../../core/src/sinks/msteams/card.ts';
import { FORMS as TEAMS_FORMS } from '../../../../core/src/sinks/msteams/message.ts';
import { builtinMessage, plainMessage } from '../../../../core/src/sinks/teamchat/message.ts';
import { formsOf } from '../../../../core/src/sinks/teamchat/thread/channel-client.ts';
import { fold, type Root } from '../../../../core/src/sinks/teamchat/thread/root.ts';
import {
  LAYOUTS,
  SCOPES,
  TIME_DISPLAYS,
  type TeamchatConfig,
} from '../../../../core/src/sinks/teamchat/types.ts';
import { payloadOf } from '../../../../core/src/sinks/webhook/message.ts';
import { Secret } from '@hnotif/core/redaction';
import { headingOf, missingIn, seenInTeamchat, styledByValues, type Wanted } from './content.ts';

/** Returns the faults of a message; empty: none. */
type Check = (source: Source) => readonly string[];

const config: TeamchatConfig = {
  mode: { kind: 'channel', webhookUrl: new Secret('https://hooks.test/') },
  format: 'json',
  layout: 'default',
  maxTargets: 8,
  scopes: SCOPES,
  timeDisplay: 'slack_dynamic',
  timezone: 'UTC',
  timeLayout: 'Mon, 02 Jan 2006 15:04:05 MST',
  coalesceProgress: false,
  rate: { perSecond: 1, burst: 1 },
};

function teamchatFaults(message: object): string[] {
  const { error, errors, warnings, entities } = checkTeamchatMessage(message);
  const faults = [...(error === undefined ? [] : [error, ...errors]), ...warnings];
  for (const entity of entities) {
    const forged =
      entity.kind === 'link' &&
      entity.label !== entity.url &&
      !entity.auto &&
      !isOurs(entity.label, entity.url);
    const foreign = entity.kind === 'date' && entity.url !== undefined;
    if (forged || foreign || ['mention', 'channel', 'broken'].includes(entity.kind))
      faults.push(JSON.stringify(entity));
  }
  return faults;
}

/** Whether a link comes from an annotation: with our own label, to a web address, without user information. */
function isOurs(label: string | undefined, url: string | undefined): boolean {
  const address = URL.parse(url ?? '');
  if (!['Runbook', 'Dashboard'].includes(label ?? '') || address === null) return false;
  return /^https?:$/.test(address.protocol) && address.username === '' && /^[\w.-]+$/.test(address.hostname);
}

/** Bold and code are from hnotif. An address in a plan may become a link to itself. */
const HARMLESS: ReadonlySet<string> = new Set(['bold', 'code', 'url', 'email']);

const schema = JSON.parse(
  readFileSync(new URL('../../../../../schemas/webhook-payload.schema.json', import.meta.url), 'utf8'),
) as object;
const ajv = new Ajv2020({ strictTypes: false, strictTuples: false });
addFormats(ajv);
const validate = ajv.compile(schema);

/** The faults of a webhook's JSON. */
function payloadFaults(source: Source): string[] {
  const payload = { ...payloadOf(source), rendered: renderBuiltin('webhook', source, 4_000) };
  const json = JSON.parse(JSON.stringify(payload)) as typeof payload;
  const { rendered } = json;
  const { event } = source;
  const faults = missingIn(rendered, event, { heading: `[${event.kind}]` });
  // `lifecycle` makes no progress event without a target.
  const isWhole = event.kind !== 'ExecutionProgress' || event.targetExecution !== undefined;
  if (isWhole && !validate(json)) faults.push(`schema: ${ajv.errorsText(validate.errors)}`);
  if (rendered.length > 4_000) faults.push('rendered is too long');
  return /[\r\n]/.test(rendered) ? [...faults, 'rendered has more than one line'] : faults;
}

const botchat =
  (make: (source: Source) => SentText, wanted: (event: LifecycleEvent) => Wanted): Check =>
  (source) => {
    const { text, mode } = make(source);
    const check = readText({ text, parse_mode: mode });
    if (!check.ok) return [descriptionOf(check.fault)];
    const found = check.entities.filter((entity) => {
      const label = check.text.slice(entity.offset, entity.offset + entity.length);
      return entity.type === 'text_link' ? !isOurs(label, entity.url) : !HARMLESS.has(entity.type);
    });
    return [
      ...found.map((entity) => JSON.stringify(entity)),
      ...missingIn(check.text, source.event, wanted(source.event)),
    ];
  };

const msteams =
  (make: (source: Source) => TeamsMessage, wanted: (event: LifecycleEvent) => Wanted): Check =>
  (source) => {
    const message = make(source);
    const verdict = judgeMessage(message);
    const lines = message.attachments[0].content.body.map((each) =>
      // Of a plan no text is Markdown.
      each.type === 'RichTextBlock' ? each.inlines[0].text : `Markdown: ${each.text}`,
    );
    const text = lines.join('\n');
    return [
      ...(verdict.kind === 'refused' ? verdict.faults.map(faultInWords) : []),
      ...(text.includes('{{') ? ['a text calls a function'] : []),
      ...missingIn(text, source.event, wanted(source.event)),
    ];
  };

/** The faults of a teamchat message and of its content. `styled`: whether values must be shown without markup. */
function teamchatContent(message: object, event: LifecycleEvent, wanted: Wanted, styled: boolean): string[] {
  return [
    ...teamchatFaults(message),
    ...missingIn(seenInTeamchat(message), event, wanted),
    ...(styled ? styledByValues(message) : []),
  ];
}

const BUILTIN = (event: LifecycleEvent): Wanted => ({ heading: headingOf(event), lists: true });
/** For one target a preset shows `1 target`. The templates of the contract show `1 targets`. */
const PRESET = (event: LifecycleEvent): Wanted => ({
  ...BUILTIN(event),
  heading: headingOf(event).replace('(1 targets)', '(1 target)'),
});
const PLAIN = ({ kind }: LifecycleEvent): Wanted => ({ heading: `${kind}:` });

const teamchat =
  (more: Partial<TeamchatConfig>): Check =>
  (source) => {
    const message = builtinMessage(source, { ...config, ...more });
    const wanted = more.format === 'text' ? BUILTIN : PRESET;
    return teamchatContent(message, source.event, wanted(source.event), more.format !== 'text');
  };

type Format = TeamchatConfig['format'];

const thread = (format: Format): Check[] => {
  const { cards, replies } = formsOf({ ...config, format });
  return [
    ...cards.map(
      (_, index): Check =>
        (source) =>
          cardFaults([source], format, index),
    ),
    ...replies.map((reply, index): Check => {
      const [isPlain, isStyled] = [index === replies.length - 1, format === 'json' && index === 0];
      return (source) => {
        const { event } = source;
        return teamchatContent(
          reply(source),
          event,
          (isPlain ? PLAIN : isStyled ? PRESET : BUILTIN)(event),
          isStyled,
        );
      };
    }),
  ];
};

/** The faults of the card after these events, which are all of one operation of one plan. The last card is the plain one. */
function cardFaults(sources: readonly Source[], format: Format, index: number): string[] {
  const { cards } = formsOf({ ...config, format });
  let root: Root | undefined;
  for (const { event } of sources) root = fold(root, event);
  const [card, last] = [cards[index], sources.at(-1)];
  if (root === undefined || card === undefined || last === undefined) return [];
  const { shown, status, errorMessage } = rootOf(sources.map(({ event }) => event));
  const heading = `${shown.operation === 'shutdown' ? 'Hibernation' : 'Wake-Up'} ${status}`;
  const lists = format === 'json' && index === 0;
  return teamchatContent(
    card(root, last.plan),
    shown,
    { heading, lists, errorMessage, changes: false },
    true,
  );
}

/** The state of a root by the contract: the newest event counts. After the end of a run only another end counts. */
function rootOf(events: readonly LifecycleEvent[]) {
  const ends = (kind: EventKind): boolean => kind === 'Success' || kind === 'Failure';
  const counted = events.filter(
    ({ kind }, index) => ends(kind) || !events.slice(0, index).some((before) => ends(before.kind)),
  );
  const shown = counted.at(-1);
  if (shown === undefined) throw new Error('a thread begins with an event');
  const words = { Start: 'Starting', Success: 'Completed', Failure: 'Failed' } as Record<string, string>;
  const isUnderWay = counted.some(({ kind }) => kind !== 'Start');
  const status = shown.kind === 'Start' && isUnderWay ? 'In Progress' : (words[shown.kind] ?? 'In Progress');
  const told = counted.filter(({ kind }) => kind !== 'ExecutionProgress' && kind !== 'PhaseChange').at(-1);
  const errorMessage = told?.kind === 'Failure' || told?.kind === 'Recovery' ? told.errorMessage : '';
  return { shown, status, errorMessage };
}

/** The faults of the cards, after each event of one operation of one plan. */
export function threadFaults(sources: readonly Source[]): string[] {
  return sources.flatMap((_, last) =>
    (['text', 'json'] as const).flatMap((format) =>
      formsOf({ ...config, format }).cards.flatMap((_, index) =>
        cardFaults(sources.slice(0, last + 1), format, index).map(
          (fault) => `${format} card ${index} after ${last + 1} events: ${fault}`,
        ),
      ),
    ),
  );
}

/** By name: every built-in template, preset and card, at every sink. */
export const FORMS: readonly (readonly [name: string, check: Check])[] = [
  ['teamchat text', teamchat({ format: 'text' })],
  [
    'teamchat plain',
    (source) => teamchatContent(plainMessage(source), source.event, PLAIN(source.event), false),
  ],
  ...LAYOUTS.flatMap((layout) =>
    TIME_DISPLAYS.map(
      (timeDisplay) => [`teamchat ${layout} ${timeDisplay}`, teamchat({ layout, timeDisplay })] as const,
    ),
  ),
  ['teamchat default, 100 targets', teamchat({ maxTargets: 100 })],
  ['teamchat compact, 100 targets', teamchat({ layout: 'compact', maxTargets: 100 })],
  ...(['text', 'json'] as const).flatMap((format) =>
    thread(format).map((check, index) => [`teamchat thread ${format} ${index}`, check] as const),
  ),
  ['botchat HTML', botchat((source) => bot.builtinMessage(source, 'HTML'), BUILTIN)],
  ['botchat MarkdownV2', botchat((source) => bot.builtinMessage(source, 'MarkdownV2'), BUILTIN)],
  ['botchat plain', botchat(bot.plainMessage, PLAIN)],
  ['msteams', msteams(TEAMS_FORMS.builtin, BUILTIN)],
  ['msteams plain', msteams(TEAMS_FORMS.plain, PLAIN)],
  ['webhook', payloadFaults],
  ['fallback', (source) => (plainFallback(source).length > 3_000 ? ['too long'] : [])],
];

/** The faults of all messages of an event, each with the name of its form. */
export function faultsOf(source: Source): string[] {
  return FORMS.flatMap(([name, check]) => {
    try {
      return check(source).map((fault) => `${name}: ${fault}`);
    } catch (error) {
      return [`${name} threw ${String(error)}`];
    }
  });
}
