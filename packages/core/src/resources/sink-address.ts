/** The address of a sink: an entry of a notification. */
export interface SinkAddress {
  readonly namespace: string;
  readonly notification: string;
  readonly sink: string;
}

/** The address as one text: a key for maps, and the name in logs. */
export const sinkKey = ({ namespace, notification, sink }: SinkAddress): string =>
  `${namespace}/${notification}/${sink}`;
