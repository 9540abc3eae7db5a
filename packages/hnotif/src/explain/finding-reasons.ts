import type { ReasonText } from './reasons.ts';

/** Of `hnotif why`, besides those of `reasons.ts`. */
export const FINDING_REASONS: Readonly<Record<string, ReasonText>> = {
  Unreadable: {
    meaning: 'hnotif cannot read the notification, and ignores this version of it.',
    remedy: 'Correct the field that the message names.',
  },
  NotObserved: {
    meaning: 'No hnotif has written the status of the notification.',
    remedy: 'Install or start hnotif, or let it watch the namespace.',
  },
  ChangeNotSeen: {
    meaning: 'The last change of the notification was not seen yet.',
    remedy: 'Look again in some seconds, or see who serves.',
  },
  NotSelected: {
    meaning: 'The notification does not select the plan in question.',
    remedy: 'Correct the selector or the labels, if it should.',
  },
  EventNotListed: { meaning: 'The kind of the event is not in onEvents.', remedy: 'Add it.' },
  InJournal: {
    meaning: 'Deliveries wait in the journal.',
    remedy: 'Look again in some seconds, or see who serves.',
  },
  Suppressed: {
    meaning:
      'The layout of the sink leaves out such progress, or the event belongs to no night that a board could show.',
    remedy: 'Of progress: block_layout: auto shows all of it.',
  },
};
