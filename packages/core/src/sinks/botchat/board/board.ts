import type { PlanView } from '../../../resources/plan-view.ts';
import { type BoardChat, boardSink } from '../../board/board-sink.ts';
import type { BoardSettings } from '../../board/config.ts';
import type { BoardView } from '../../board/view.ts';
import { signOf } from '../../board/words.ts';
import type { SinkSettings } from '../../deps.ts';
import { mapLevels } from '../../roots/levels.ts';
import { sender } from '../../send.ts';
import type { ReadySink } from '../../sink.ts';
import { botApi } from '../bot-api.ts';
import type { BotchatConfig } from '../config.ts';
import { isSilent, messageProtocol, replyTo } from '../messages.ts';
import { Target } from '../target.ts';
import { boardClient } from './board-client.ts';
import { endNotice, htmlBoard, plainBoard } from './board-card.ts';

/** A botchat sink in board mode. The board itself arrives without a sound: its replies tell what matters. */
export function botchatBoard(config: BotchatConfig, board: BoardSettings, settings: SinkSettings): ReadySink {
  const target = new Target(config, settings.clock);
  const api = botApi(config, settings);
  const client = boardClient(config, settings, api, target);
  const chat = {
    ...{ ...board, client },
    forms: mapLevels(
      [htmlBoard, plainBoard],
      (form) => (view: BoardView, plan: PlanView) => client.cardOf(form(view, plan), true),
    ),
    endNotice: (view: BoardView, plan: PlanView) =>
      client.cardOf(
        endNotice(view, plan),
        isSilent(config.silence, signOf(view) === 'failed' ? 'Failure' : 'Success'),
      ),
    reply(delivery, attempt, root) {
      const answers = root.location && replyTo(root.location.ts);
      const protocol = messageProtocol(config, settings, api, target, answers);
      return sender(protocol, settings)({ ...delivery, template: undefined }, attempt);
    },
  } satisfies BoardChat;
  return boardSink(chat, settings);
}
