export { type ActionAnswer, type ActionRequest, type ActionRights, argumentsOf } from './action-request.ts';
export {
  REQUEST_WAITS,
  type RequestWait,
  type DeliveryRequest,
  answerInWords,
  numbered,
  requestsTo,
  waitInWords,
  withRequests,
} from './requests.ts';
export {
  type BoardPlace,
  type Candidate,
  type Cause,
  type DeliveryRow,
  type DeliveryState,
  type EventStory,
  type Explanation,
  type Finding,
  type FoundDeliveries,
  type Leader,
  type Moment,
  type NowAnswer,
  addressIdOf,
  requestsOf,
  SEVERITIES,
  type Severity,
  type WhyAnswer,
} from './answer.ts';
export {
  type Board,
  type Change,
  type Dot,
  type DotState,
  type Head,
  type Mark,
  type Row,
  type RowChange,
  type Span,
  applyRows,
  rowChange,
  isSameDot,
  ROWS_AT_ONCE,
  snapshotOf,
} from './board.ts';
export { type Inbox, MOST_MESSAGES, type MessageDetail, type MessageItem } from './messages.ts';
export type { Difference, Night, NotTold, PlanNight, PlanState, RunState, ShownRun } from './night.ts';
