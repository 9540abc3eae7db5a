/** Every message that hnotif makes by itself, and what is wrong with one. */
import { checkBotchatMessage, checkTeamchatMessage } from '@hnotif/receivers';
import type { Source } from '../../src/render/context.ts';
import { renderBuiltin } from '../../src/render/builtin.ts';
import { plainFallback } from '../../src/render/fallback.ts';
import * as bot from '../../src/sinks/botchat/message.ts';
import { builtinMessage, plainMessage } from '../../src/sinks/teamchat/message.ts';
import { formsOf } from '../../src/sinks/teamchat/thread/forms.ts';
import { fold } from '../../src/sinks/teamchat/thread/root.ts';
import { LAYOUTS, SCOPES, TIME_DISPLAYS, type TeamchatConfig } from '../../src/sinks/teamchat/types.ts';
import { payloadOf } from '../../src/sinks/webhook/message.ts';
import { Secret } from '../../src/transport/secret.ts';

/** What is wrong with a message; empty: nothing. */
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
  rate: { perSecond: 1, burst: 1 },
};

function teamchatFaults(message: object): string[] {
  const { error, errors, warnings, entities } = checkTeamchatMessage(message);
  const faults = [...(error === undefined ? [] : [error, ...errors]), ...warnings];
  for (const entity of entities) {
    const forged = entity.kind === 'link' && entity.label !== entity.url && !entity.auto;
    const foreign = entity.kind === 'date' && entity.url !== undefined;
    if (forged || foreign || ['mention', 'channel', 'broken'].includes(entity.kind))
      faults.push(JSON.stringify(entity));
  }
  return faults;
}

/** Bold and code are ours; an address that a plan names stays a link to itself, and nothing is found within one. */
const HARMLESS: ReadonlySet<string> = new Set(['bold', 'code', 'url', 'email']);

function botchatFaults(message: { readonly text: string; readonly mode: string | undefined }): string[] {
  const check = checkBotchatMessage({ text: message.text, parse_mode: message.mode });
  if (!check.ok) return [check.description];
  return check.entities.filter(({ type }) => !HARMLESS.has(type)).map((entity) => JSON.stringify(entity));
}

/** What a webhook's JSON must be able to do. */
function payloadFaults(source: Source): string[] {
  const payload = { ...payloadOf(source), rendered: renderBuiltin('webhook', source, 4_000) };
  const { rendered } = JSON.parse(JSON.stringify(payload)) as typeof payload;
  const faults = rendered.length > 4_000 ? ['rendered is too long'] : [];
  return /[\r\n]/.test(rendered) ? [...faults, 'rendered has more than one line'] : faults;
}

const teamchat =
  (more: Partial<TeamchatConfig>): Check =>
  (source) =>
    teamchatFaults(builtinMessage(source, { ...config, ...more }).message);

const thread = (format: TeamchatConfig['format']): Check[] => {
  const { cards, replies } = formsOf({ ...config, format });
  return [
    ...cards.map(
      (card): Check =>
        (source) =>
          teamchatFaults(card(fold(undefined, source.event), source.plan)),
    ),
    ...replies.map(
      (reply): Check =>
        (source) =>
          teamchatFaults(reply(source)),
    ),
  ];
};

/** By name: every built-in template, preset and card, at every sink. */
export const FORMS: readonly (readonly [name: string, check: Check])[] = [
  ['teamchat text', teamchat({ format: 'text' })],
  ['teamchat plain', (source) => teamchatFaults(plainMessage(source).message)],
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
  ['botchat HTML', (source) => botchatFaults(bot.builtinMessage(source, 'HTML'))],
  ['botchat MarkdownV2', (source) => botchatFaults(bot.builtinMessage(source, 'MarkdownV2'))],
  ['botchat plain', (source) => botchatFaults(bot.plainMessage(source))],
  ['webhook', payloadFaults],
  ['fallback', (source) => (plainFallback(source).length > 3_000 ? ['too long'] : [])],
];

/** What is wrong with the messages of an event, each with the name of its form. */
export function faultsOf(source: Source): string[] {
  return FORMS.flatMap(([name, check]) => {
    try {
      return check(source).map((fault) => `${name}: ${fault}`);
    } catch (error) {
      return [`${name} threw ${String(error)}`];
    }
  });
}
