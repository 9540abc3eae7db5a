import { notificationObject } from '../../../lab/src/objects.ts';

const sink = { name: 's', type: 'webhook', secretRef: { name: 's' } };
const expressions = (each: object): object => ({
  selector: { matchLabels: {}, matchExpressions: [each] },
});

const changes: readonly object[] = [
  {},
  { suspend: true, suspendUntil: '2026-01-05T20:00:00Z' },
  { suspend: true, suspendUntil: '2026' },
  { suspend: 'yes' },
  { muteSchedule: [{ weekdays: ['monday:friday'], times: [{ startTime: '18:00', endTime: '24:00' }] }] },
  { muteSchedule: [{ weekdays: ['sat'] }] },
  { muteSchedule: [{}] },
  { labels: { team: 'a' } },
  { labels: { 'my key!': 'a' } },
  { onEvents: [] },
  { onEvents: ['Start', 'Start'] },
  { onEvents: 'Start' },
  { sinks: [] },
  { sinks: [sink, sink] },
  { sinks: [{ ...sink, name: 'Not_A_Name' }] },
  { sinks: [{ ...sink, type: 'pager' }] },
  { sinks: [{ ...sink, secretRef: {} }] },
  { sinks: [{ ...sink, templateRef: { name: 't', key: '' } }] },
  { sinks: Array.from({ length: 40 }, (_, at) => ({ ...sink, name: `s${at}` })) },
  { selector: {} },
  { selector: { matchLabels: { 'my key!': 'x' } } },
  { selector: { matchLabels: { team: 'not a value!' } } },
  expressions({ key: 'team', operator: 'In' }),
  expressions({ key: 'team', operator: 'In', values: ['a'] }),
  expressions({ key: 'team', operator: 'Exists', values: ['a'] }),
  expressions({ key: 'team', operator: 'Near' }),
  expressions({ key: '-', operator: 'Exists' }),
];

/** Notifications of which an API server accepts some and refuses others. `change` shows the difference from a valid one. */
export const variations = (): readonly {
  readonly change: object;
  readonly name: string;
  readonly object: object;
}[] =>
  changes.map((change, at) => {
    const name = `n-${at}`;
    const good = notificationObject(name, { onEvents: ['Start'] }) as { readonly spec: object };
    return { change, name, object: { ...good, spec: { ...good.spec, ...change } } };
  });
