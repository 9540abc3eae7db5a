export {
  type CloudProvider,
  type Connector,
  type ConnectorLookup,
  type ConnectorPolicy,
  type K8SCluster,
  NO_CONNECTOR,
  parseCloudProvider,
  parseK8SCluster,
  permits,
  permittedTo,
  resolveConnector,
} from './connectors.ts';
export { crds } from './crds/crds.ts';
export {
  DATA_KEY,
  LABEL_KEY,
  LABEL_VALUE,
  LOCATION_NAME,
  LONGEST_LABEL,
  LONGEST_PREFIX,
} from './crds/notification.ts';
export { MAX_TARGETS } from './crds/plan.ts';
export { LABEL_NAME, OBJECT_NAME, type Schema } from './crds/schema.ts';
export { ParseError } from './fields.ts';
export {
  API_VERSION,
  DEFAULT_API_GROUP,
  FOREIGN_GROUPS,
  OWN_SHORT_NAME,
  type ResourceType,
  cloudProvidersOf,
  defaultPlanResource,
  formatResourceType,
  isApiGroup,
  isDnsLabel,
  isDnsName,
  journalsOf,
  k8sClustersOf,
  notificationsOf,
  parseResourceType,
} from './group.ts';
export {
  type EntryPatch,
  JOURNAL_VERSION,
  type Journal,
  type JournalEntry,
  type JournalSummary,
  type JournalWrite,
  type Writer,
  dedicatedJournalName,
  ownershipProblem,
  parseJournal,
  partitionOf,
  partitionOfName,
  sharedJournalName,
} from './journal.ts';
export { EVENT_ID } from './event-id.ts';
export { kindOf } from './kind-of.ts';
export { EVENT_KINDS, type EventKind, SINK_TYPES, type SinkType } from './kinds.ts';
export { linkFaults } from './links.ts';
export { type Metadata, qualifiedName } from './metadata.ts';
export { isLocation, offsetMs } from './mute-schedule.ts';
export { type NamespaceScope, isInScope } from './namespace-scope.ts';
export {
  type Condition,
  type DroppedCount,
  MOST_REASONS,
  type Notification,
  type NotificationStatus,
  SINK_STATES,
  type SinkEntry,
  type SinkState,
  type SinkStatus,
} from './notification.ts';
export {
  CONFIG_MAPS,
  EVENTS,
  LEASES,
  NAMESPACES,
  type Raw,
  SECRETS,
  identityOf,
  isRaw,
  keyOf,
  pathOf,
} from './objects.ts';
export { TIME_OF_DAY, TIME_WORDS, WEEKDAY_RANGE, WEEKDAY_WORDS } from './parse-mute-schedule.ts';
export { parseNotification } from './parse-notification.ts';
export { intern } from './shared-text.ts';
export { parsePlan } from './parse-plan.ts';
export type { PlanView } from './plan-view.ts';
export type { Execution, HistoryOperation, Plan, PlanStatus, PlanTarget } from './plan.ts';
export {
  MOST_REPLAY_ROWS,
  REPLAY_ANNOTATION,
  REPLAY_REASONS,
  REPLAY_RESULTS,
  type ReplayReason,
  type ReplayRequest,
  type ReplayResult,
  type ReplayRow,
  type ReplayStatus,
  parseReplay,
} from './replay.ts';
export { type SinkAddress, sinkKey } from './sink-address.ts';
export { type Silences, type Suspension, nextChange, suspensionAt } from './suspension.ts';
