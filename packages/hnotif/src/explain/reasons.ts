/**
 * The reasons that hnotif itself gives, with what they mean and what to do. Those of receivers, drops, degradations and replays have tables
 * beside the code that decides (`sinks/`, `dispatch/reasons.ts`, `sinks/degradation.ts`, `resources/replay.ts`). The reference page is made from
 * all of them, and a test finds a reason in the code that no table has.
 */

export interface ReasonText {
  readonly meaning: string;
  readonly remedy: string;
}

const NONE = '–';

/** Of the condition `Ready`. */
export const READY_REASONS: Readonly<Record<string, ReasonText>> = {
  SinksReady: { meaning: 'All sinks can send.', remedy: NONE },
  NoPlanMatches: {
    meaning: 'The selector matches no plan of the namespace.',
    remedy: 'Correct the selector, or the labels of the plan: the message names the nearest one.',
  },
  Suspended: {
    meaning:
      'spec.suspend holds. New deliveries are dropped; with tellAfterSuspend, Success and Failure wait (state Blocked).',
    remedy: 'hnotif unmute, or wait for suspendUntil.',
  },
  MutedBySchedule: {
    meaning:
      'spec.muteSchedule holds. New deliveries are dropped; with tellAfterSuspend, Success and Failure wait (state Blocked).',
    remedy: 'Wait for the end that the message names, or change spec.muteSchedule.',
  },
  MessagesDegraded: {
    meaning: 'Messages arrive in a plainer form than configured.',
    remedy: 'See the degradations below.',
  },
  DeliveriesFailing: {
    meaning: 'The last send of a sink failed. Its deliveries wait and are tried again.',
    remedy: 'See the reason of the sink.',
  },
  Throttled: { meaning: 'The receiver asks to wait.', remedy: 'Send less: onEvents, rate_limit.' },
  DeliveriesLate: {
    meaning: 'Deliveries have waited for more than 5 s.',
    remedy: 'See the reason of the sink.',
  },
  SinksNotReady: {
    meaning: 'Several sinks cannot send, for different reasons.',
    remedy: 'See the reason of each sink.',
  },
  SecretMissing: { meaning: 'The secret of a sink does not exist.', remedy: 'Create it.' },
  SecretKeyMissing: {
    meaning: 'The secret has no key config.',
    remedy: 'Put the JSON of the sink under the key config.',
  },
  SecretForbidden: {
    meaning: 'hnotif may not read the secret.',
    remedy: 'Grant get on secrets in the namespace, as deploy/kustomize does.',
  },
  SecretUnavailable: {
    meaning: 'The API server did not answer when the secret was read.',
    remedy: 'None: hnotif tries again.',
  },
  TemplateUnavailable: {
    meaning: 'The API server did not answer when the template was read.',
    remedy: 'None: hnotif tries again.',
  },
  ConfigInvalid: {
    meaning: 'The configuration in the secret cannot be used.',
    remedy: 'Correct the fields that the message names; hnotif validate finds them before.',
  },
  PlansNotFollowed: {
    meaning: 'Plans cannot be read, so no event is found.',
    remedy: 'Install their CRD, or grant the right that the message names.',
  },
  NotificationsNotFollowed: {
    meaning: 'Notifications cannot be read: their changes have no effect.',
    remedy: 'Grant the right, or install the CRD, that the message names.',
  },
  JournalsNotFollowed: {
    meaning:
      'Journals cannot be read. After a start no event is found until they are; later, hnotif does not notice that one was deleted.',
    remedy: 'Grant the right, or install the CRD, that the message names.',
  },
  Deleted: { meaning: 'The sink was removed while it was checked.', remedy: NONE },
};

/** Why deliveries of a sink wait, where the receiver is not the reason. */
export const WAIT_REASONS: Readonly<Record<string, ReasonText>> = {
  RateLimited: {
    meaning: 'The rate limit of the sink itself (state Behind).',
    remedy: 'Raise rate_limit as far as the receiver permits, list fewer events, or set coalesce_progress.',
  },
  NamespaceOverShare: {
    meaning: 'The namespace has its share of the requests in flight.',
    remedy: 'Correct or remove sinks whose receivers answer slowly.',
  },
  TemplatesWaited: {
    meaning: 'Templates of the namespace wait for a worker.',
    remedy: 'Make slow templates faster.',
  },
  CatchingUp: { meaning: 'Messages arrive, and those that have waited are being sent.', remedy: NONE },
  ReceiverSlow: {
    meaning: 'The receiver answers slowly, or has not answered yet.',
    remedy: 'Look at its load, and at the network.',
  },
  NotSentYet: {
    meaning: 'hnotif has not come to it yet.',
    remedy: 'Look at its CPU limit, and at the number of plans that change.',
  },
  BoardUpdate: {
    meaning: 'The event is not on its board yet. A board is updated every 3 s at most.',
    remedy: NONE,
  },
  FormerProcess: {
    meaning: 'Slack may still carry out requests of the former leader. It takes 10 s.',
    remedy: NONE,
  },
  HnotifStopped: {
    meaning: 'hnotif has stopped, and the next process sends what waits.',
    remedy: 'See that one runs.',
  },
};

/** Of the condition `Durable`. Others are those of the API server, such as Forbidden. */
export const DURABLE_REASONS: Readonly<Record<string, ReasonText>> = {
  Journalled: { meaning: 'What waits is kept in journals, and outlives the process.', remedy: NONE },
  JournalTooLarge: {
    meaning: 'The journal of a plan would be larger than the API server takes.',
    remedy: 'Subscribe to fewer events, or divide the plan.',
  },
  JournalForeign: {
    meaning:
      'A journal names an instance whose name it does not have: something else than hnotif has made it.',
    remedy: 'Delete it, and with it the deliveries that wait there.',
  },
  JournalTermAhead: {
    meaning:
      'A journal names a later term, and the Lease has not moved: something else than hnotif has written it.',
    remedy: 'Delete the journal, and leave the right to write journals to hnotif alone.',
  },
  JournalTooNew: {
    meaning: 'A newer hnotif has written the journal of a plan, and this one does not serve the plan.',
    remedy: 'Run the newer one, or delete the journal and the deliveries in it.',
  },
  LeaseUnknown: {
    meaning: 'A journal shows a later term, and the Lease cannot be read.',
    remedy: 'Grant get on the Lease; repair the API server.',
  },
};

/** Of Kubernetes Events. Others have the reason of a wait, a degradation or a replay. */
export const EVENT_REASONS: Readonly<Record<string, ReasonText>> = {
  SinkParked: { meaning: 'The receiver takes nothing. Deliveries wait.', remedy: 'Repair the receiver.' },
  SinkQuarantined: {
    meaning: 'The receiver refuses the configuration. Deliveries wait.',
    remedy: 'Correct the secret.',
  },
  SinkRecovered: { meaning: 'The sink delivers again, after a Warning.', remedy: NONE },
  DeliveryFailed: {
    meaning: 'A message was lost: the receiver refused it, or it failed while others arrived.',
    remedy: 'Correct what the message names, then hnotif replay.',
  },
  DeliveryDropped: {
    meaning: 'A delivery was lost without a try: see the reasons of drops.',
    remedy: 'Correct the cause, then hnotif replay.',
  },
  OlderStateSeen: {
    meaning:
      'Plans show an older state than before: the API server was restored from a backup, or answered from a stale cache.',
    remedy: 'None is needed: what was reported before is not sent again.',
  },
  ReplayRefused: { meaning: 'A replay was asked for and could not be done.', remedy: 'See its message.' },
  ConnectorNotPermitted: {
    meaning: 'A plan names a connector of a namespace that messages may not show.',
    remedy: '--cross-namespace-connectors.',
  },
  ConnectorNotWatched: {
    meaning: 'A plan names a connector of a namespace that hnotif does not watch.',
    remedy: '--watch-namespaces.',
  },
  JournalUnreadable: {
    meaning:
      'The journal of a plan cannot be read: the plan begins again, and deliveries that waited are lost.',
    remedy: 'Find out what has written the journal.',
  },
};
