/** A sink as the cluster names it: an entry of a notification. */
export interface SinkAddress {
  readonly namespace: string;
  readonly notification: string;
  readonly sink: string;
}

/** The address as one text, unique to the sink: a key for maps, and its name in logs. */
export const sinkKey = ({ namespace, notification, sink }: SinkAddress): string =>
  `${namespace}/${notification}/${sink}`;
