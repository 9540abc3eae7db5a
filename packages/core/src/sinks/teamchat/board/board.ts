import type { PlanView } from '../../../resources/plan-view.ts';
import { type BoardChat, boardSink } from '../../board/board-sink.ts';
import type { BoardView } from '../../board/view.ts';
import type { SinkSettings } from '../../deps.ts';
import { type FallbackLevels, mapLevels } from '../../roots/levels.ts';
import type { ReadySink } from '../../sink.ts';
import type { ChatMessage, TeamchatConfig } from '../types.ts';
import { channelClient } from '../thread/open-client.ts';
import { postReply } from '../thread/post-reply.ts';
import { blocksBoard, endNotice, plainBoard, textBoard } from './board-card.ts';

export interface BoardConfig extends TeamchatConfig {
  readonly mode: Extract<TeamchatConfig['mode'], { kind: 'board' }>;
}

/** A teamchat sink in board mode. */
export function teamchatBoard(config: BoardConfig, settings: SinkSettings): ReadySink {
  const { threads } = settings;
  const { clock } = threads;
  const { alerts, limits } = config.mode;
  const client = channelClient(config, settings);
  const { cardOf, broadcast } = client;
  const chat = {
    ...{ alerts, client, limits },
    forms: mapLevels(
      formsOf(config),
      (form) => (view: BoardView, plan: PlanView) => cardOf(form(view, plan)),
    ),
    endNotice: (view: BoardView, plan: PlanView) => cardOf(endNotice(view, plan)),
    reply: (delivery, attempt, root) =>
      postReply({ client, delivery, attempt, state: threads.delivery(delivery.progress), clock }, root),
  } satisfies BoardChat;
  return { ...boardSink(chat, settings), broadcasts: broadcast };
}

function formsOf(config: BoardConfig): FallbackLevels<(view: BoardView, plan: PlanView) => ChatMessage> {
  const text = [(view: BoardView, plan: PlanView) => textBoard(view, plan, config), plainBoard] as const;
  return config.format === 'text' ? text : [(view, plan) => blocksBoard(view, plan, config), ...text];
}
