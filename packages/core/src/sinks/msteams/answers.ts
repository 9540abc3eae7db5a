import type { HookAnswers } from '../hook-answers.ts';
import { OWN_MESSAGE } from '../outcome-table.ts';
import { ONCE, PAGE, refused, REPEATED, unclear } from '../proof.ts';

const MAY_PASS =
  'it may pass by itself; see https://admin.powerplatform.microsoft.com for the state of the service';
const COPY = 'copy webhook_url from the first step of the workflow again, whole, with its signature (sig=…)';
const GATEWAY = 'a gateway got no answer from the workflow: look at its run history';

/**
 * What the address of a workflow answers. A workflow runs after its answer: its own failures are in its run history alone.
 * https://learn.microsoft.com/azure/connectors/connectors-native-reqres
 */
export const MSTEAMS_ANSWERS: HookAnswers = {
  field: 'webhook_url',
  success: [202, ''],
  codes: {
    // Comes with the status 400, which would end each delivery as failed.
    WorkflowTriggerIsNotEnabled: {
      kind: 'rejected-configuration',
      reason: 'WorkflowOff',
      remedy: `switch the workflow on; if it was deleted, make one, and ${COPY}`,
    },
  },
  statuses: {
    400: {
      kind: 'rejected-payload',
      reason: 'BadRequest',
      remedy: 'check that the workflow begins with “When a Teams webhook request is received”',
    },
    401: {
      kind: 'rejected-configuration',
      reason: 'Unauthorized',
      remedy: `${COPY}, and let anyone trigger the workflow`,
    },
    403: {
      kind: 'rejected-configuration',
      reason: 'Forbidden',
      remedy: 'let anyone trigger the workflow, and check whether a policy or a proxy refuses it',
    },
    404: {
      kind: 'rejected-configuration',
      reason: 'WorkflowNotFound',
      remedy: `the workflow was deleted, or its address is another one; ${COPY}`,
    },
    407: {
      kind: 'rejected-configuration',
      reason: 'ProxyUnauthorized',
      remedy: "check the proxy's credentials",
    },
    408: { kind: 'transient', reason: 'RequestTimeout', remedy: MAY_PASS },
    410: {
      kind: 'rejected-configuration',
      reason: 'Gone',
      remedy: 'the address is not served any more: make a workflow',
    },
    413: {
      kind: 'rejected-payload',
      reason: 'MessageTooLong',
      remedy: 'let the template write less',
      otherwise: OWN_MESSAGE,
    },
    425: { kind: 'transient', reason: 'TooEarly', remedy: MAY_PASS },
    429: {
      kind: 'throttled',
      reason: 'TooManyRequests',
      remedy:
        'Teams takes four messages a second, and a workflow has a limit for each day: ask for fewer events in onEvents, or lower rate_limit',
    },
    502: { kind: 'ambiguous', reason: 'BadGateway', remedy: GATEWAY },
    503: { kind: 'transient', reason: 'ServiceUnavailable', remedy: MAY_PASS },
    504: { kind: 'ambiguous', reason: 'GatewayTimeout', remedy: GATEWAY },
  },
  others: {
    redirect: {
      kind: 'rejected-configuration',
      reason: 'Redirected',
      remedy: `redirects are not followed; ${COPY}`,
    },
    other4xx: { kind: 'rejected-configuration', reason: 'Rejected', remedy: `check the workflow; ${COPY}` },
    other5xx: { kind: 'transient', reason: 'ServerError', remedy: MAY_PASS },
    foreign: {
      kind: 'rejected-configuration',
      reason: 'NotAChat',
      remedy: `a web page answered, not the workflow; ${COPY}, and check any proxy`,
    },
  },
  proofs: {
    accepted: {
      answer: '2xx, mostly 202 without a body: the workflow has the message, and posts it',
      proves: 'arrived',
      then: ONCE,
      examples: [
        [202, ''],
        [200, '{"ok":true}'],
      ],
    },
    page: {
      answer: '2xx and a web page',
      proves: 'did not arrive',
      then: 'quarantines the sink (`NotAChat`)',
      examples: [[200, PAGE]],
    },
    unclear: unclear(REPEATED),
    refused: refused('{"error":{"code":"InvalidRequestContent"}}'),
  },
};
