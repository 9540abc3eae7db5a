/** The plans of some teams, of which one has a receiver that is down and one a wrong address. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { notificationObject, planObject, secretObject } from '../../../lab/src/objects.ts';
import { toYaml } from '../../src/cli/format.ts';

/** Of the example beside it. */
const SIGNING_SECRET = `whsec_${Buffer.from('made for the demo: night!!').toString('base64')}`;
const HOOK = 'http://127.0.0.1:8099/hooks/night';

const SCHEDULE = {
  schedule: { timezone: 'UTC', offHours: [{ start: '20:00', end: '06:00', daysOfWeek: ['MON'] }] },
  execution: { strategy: { type: 'Sequential' } },
  behavior: { retries: 2 },
};

interface Team {
  readonly namespace: string;
  readonly plans: Readonly<Record<string, string>>;
  /** Where its webhooks go, by sink. */
  readonly sinks: Readonly<Record<string, string>>;
}

const TEAMS: readonly Team[] = [
  {
    namespace: 'payments',
    plans: { ledger: 'steady', settlement: 'retry', cards: 'steady' },
    sinks: { audit: HOOK, pager: 'http://127.0.0.1:9/pager' },
  },
  { namespace: 'search', plans: { crawler: 'abort', indexer: 'steady' }, sinks: { log: HOOK } },
  {
    namespace: 'media',
    plans: { encoder: 'steady', thumbnails: 'exhausted' },
    sinks: { log: HOOK, chat: 'http://127.0.0.1:8098/not/there' },
  },
];

function objectsOf({ namespace, plans, sinks }: Team): object[] {
  const labels = { team: namespace };
  const objects = [
    ...Object.entries(sinks).map(([name, url]) =>
      secretObject(name, { url, signing_secret: SIGNING_SECRET }),
    ),
    ...Object.entries(plans).map(([name, night]) =>
      planObject(
        name,
        ['db', 'nodes', 'cache'].map((target) => `${name}-${target}`),
        { labels, annotations: { 'demo.hibernation.dev/night': night }, spec: SCHEDULE },
      ),
    ),
    notificationObject('night', {
      selector: { matchLabels: labels },
      onEvents: ['Start', 'Success', 'Failure', 'Recovery', 'ExecutionProgress'],
      sinks: Object.keys(sinks),
    }),
  ] as readonly { readonly metadata: object }[];
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ...objects.map(({ metadata, ...object }) => ({ ...object, metadata: { ...metadata, namespace } })),
  ];
}

/** A folder with the examples and the objects of these teams. */
export async function examplesWithTeams(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-pictures-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(import.meta.dirname, '../../../../examples'), folder, { recursive: true });
  await writeFile(join(folder, '50-teams.yaml'), toYaml(TEAMS.flatMap(objectsOf)));
  return folder;
}
