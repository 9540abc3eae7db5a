import type { Handler, PlainAnswer, Decision } from '../decision.ts';
import { callAnswer, handleCall, refusalBody, withWarnings } from './api.ts';
import type { Context } from './context.ts';
import type { TeamchatFindings } from './record.ts';
import type { Ruling } from './ruling.ts';
import type { Fields } from '@hnotif/judges/slack';
import { handleWebhook, webhookAnswer, type WebhookSettings } from './webhook.ts';

const NOT_FOUND: PlainAnswer = {
  status: 404,
  headers: { 'content-type': 'text/html' },
  body: 'no such page',
};
const NOTHING = { params: {}, error: 'no_such_page', errors: [], entities: [], message: undefined };

/** The chat's decision about requests: the Web API under `/api/`, incoming webhooks at their paths. */
export function makeTeamchatHandler(
  context: Context,
  webhook: (path: string) => WebhookSettings | undefined,
): Handler<TeamchatFindings> {
  return (request) => {
    const path = request.path.split('?', 1)[0] ?? '';
    const settings = webhook(path);
    if (path.startsWith('/api/')) {
      const call = path.slice('/api/'.length);
      const { params, warnings, ruling } = handleCall(call, request, context);
      return decision(call, params, ruling, (body) =>
        ruling.error === undefined
          ? callAnswer(withWarnings(body, [...warnings, ...ruling.warnings]))
          : callAnswer(withWarnings(refusalBody(ruling), warnings), ruling.retryAfter),
      );
    }
    if (settings !== undefined || path.startsWith('/services/')) {
      const { params, ruling } = handleWebhook(request, settings, context);
      return decision('webhook', params, ruling, () =>
        webhookAnswer(ruling.error === undefined ? undefined : ruling),
      );
    }
    return { findings: { call: '', ...NOTHING }, takes: false, settle: () => ({ answer: NOT_FOUND }) };
  };
}

function decision(
  call: string,
  params: Fields,
  ruling: Ruling,
  answer: (body: Fields) => PlainAnswer,
): Decision<TeamchatFindings> {
  const { error, entities } = ruling;
  const errors = error === undefined ? [] : ruling.errors;
  return {
    findings: { call, params, error, errors, entities, message: undefined },
    takes: error === undefined && ruling.takes,
    settle: () => {
      if (ruling.error !== undefined) return { answer: answer({}) };
      const { body, message } = ruling.act();
      return { answer: answer(body), findings: { message } };
    },
  };
}
