/** Events for the tests of layouts. */
import type { LifecycleEvent, TargetState } from '../../../../lifecycle/event.ts';
import type { Source } from '../../../../render/context.ts';
import { exampleSource } from '../../../../render/example.ts';
import { NO_CONNECTOR } from '../../../../resources/connectors.ts';
import { EVENT_KINDS, type EventKind } from '../../../../resources/kinds.ts';
import type { PresetOptions } from '../../types.ts';

export const OPTIONS: PresetOptions = {
  layout: 'default',
  maxTargets: 8,
  scopes: [],
  timeDisplay: 'slack_dynamic',
  timezone: 'UTC',
  timeLayout: 'Mon, 02 Jan 2006 15:04:05 MST',
};

/** The example's event, changed. */
export function aSource(
  kind: EventKind,
  more: Partial<LifecycleEvent> = {},
  plan: Partial<Source['plan']> = {},
): Source {
  const source = exampleSource(kind, 'teamchat', more.operation ?? 'shutdown');
  return { ...source, event: { ...source.event, ...more }, plan: { ...source.plan, ...plan } };
}

export const aTarget = (name: string, state: string, message = '', executor = 'rds'): TargetState => ({
  name,
  executor,
  state,
  message,
});

/** Twelve of them, the fourth and the tenth in trouble. */
export const TWELVE: readonly TargetState[] = Array.from({ length: 12 }, (_, i) =>
  i === 3
    ? aTarget('db-04', 'Aborted', 'the run was called off')
    : i === 9
      ? aTarget('db-10', 'Failed', 'snapshot quota of 100 exceeded in eu-central-1')
      : aTarget(`db-${String(i + 1).padStart(2, '0')}`, i < 6 ? 'Completed' : 'Pending'),
);

const EVIL = '<!channel> <@U012AB> <https://evil.test|Reset> :rotating_light: *b* `c` ```';

/** Every text of it would ping, link, shout or break something. */
export const HOSTILE: Source = aSource(
  'Failure',
  {
    plan: ':smile:',
    namespace: '<!here>',
    cycle: '_c_ & <c>',
    phase: '> Error',
    previousPhase: '*bold*',
    operation: '~op~ <https://evil.test>',
    errorMessage: `${EVIL}\n&gt; quoted\n\`\`\`\nout of the block <!everyone>`,
    targets: [
      aTarget(EVIL, 'Failed', `${EVIL}\nnext line`, '<exec>'),
      aTarget('#general @here', 'Odd & <new>', 'https://evil.test', ''),
      aTarget('', '', ''),
    ],
  },
  {
    labels: { env: '<@UENV>' },
    annotations: {},
    connector: () => ({
      ...NO_CONNECTOR,
      accountId: '<!subteam^S1>',
      clusterName: ':x:',
      region: '`r`',
      projectId: '*p*',
      provider: '<aws>',
      name: '|n>',
    }),
  },
);

/** What the golden files show. */
export const CASES: readonly (readonly [name: string, source: Source])[] = [
  ...EVENT_KINDS.map((kind) => [`${kind}, shutdown`, aSource(kind)] as const),
  ...EVENT_KINDS.map((kind) => [`${kind}, wakeup`, aSource(kind, { operation: 'wakeup' })] as const),
  ['Success, another operation', aSource('Success', { operation: 'resize' })],
  [
    'Success, a target failed',
    aSource('Success', { targets: [aTarget('a', 'Completed'), aTarget('b', 'Failed', 'no')] }),
  ],
  ['Failure, 12 targets', aSource('Failure', { targets: TWELVE })],
  [
    'PhaseChange, nothing known',
    aSource('PhaseChange', { cycle: '', operation: '', previousPhase: '', targets: [] }),
  ],
  [
    'ExecutionProgress, failed',
    aSource('ExecutionProgress', { targets: TWELVE, targetExecution: TWELVE[9] }),
  ],
  ['Failure, hostile texts', HOSTILE],
];
