import { isRaw, type EventKind, type Notification, type SinkEntry } from '@hnotif/core/resources';
import { EXAMPLE_CLUSTER, withNotification, visiblePart, type TemplateSource } from '@hnotif/core/render';
import type { ReadySink } from '@hnotif/core/sinks';
import {
  matrix,
  Folded,
  sameOutputs,
  type Finding,
  type recordingSettings,
  rehearse,
  type ShownRequest,
} from '@hnotif/core/rehearsal';

/** Each finding once, with the events that have it. */
export async function messageFindings(
  sink: ReadySink,
  entry: SinkEntry,
  notification: Notification,
  source: TemplateSource | undefined,
  settings: ReturnType<typeof recordingSettings>,
): Promise<readonly Finding[]> {
  const found = new Folded<string>();
  const texts = new Map<EventKind, string>();
  for (const [event, example, hostile] of matrix(entry.type)) {
    const { kind } = example.event;
    if (!notification.onEvents.includes(kind) || sink.suppresses(example.event)) continue;
    const { findings, failure, requests } = await rehearse(
      sink,
      entry,
      // Both with and without --cluster-name.
      withNotification(example, notification, hostile ? EXAMPLE_CLUSTER : ''),
      source,
      settings,
    );
    // A strange text of a plan is not a mistake of the template.
    const all = findings.filter(({ severity }) => severity !== 'warning' || !hostile);
    if (failure !== undefined) all.push({ severity: 'error', message: failure });
    for (const finding of all) found.add(finding, event);
    if (!texts.has(kind)) texts.set(kind, textOf(requests));
  }
  const same = source === undefined ? undefined : sameOutputs([...texts.values()]);
  return [
    ...found.all().map(({ finding, events: [first, ...more] }) => ({
      ...finding,
      message:
        more.length === 0
          ? `${first}: ${finding.message}`
          : `${first}, and ${more.length} more: ${finding.message}`,
    })),
    ...(same === undefined ? [] : [same]),
  ];
}

/** What the template made of a message. */
const textOf = (requests: readonly ShownRequest[]): string =>
  requests.map(({ body }) => (isRaw(body) ? visiblePart(body) : String(body))).join('\n');
