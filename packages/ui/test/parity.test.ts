import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syntheticSource, recordingSettings, rehearse } from '@hnotif/core/rehearsal';
import { type Source, withExampleNotification } from '@hnotif/core/render';
import { EVENT_KINDS } from '@hnotif/core/resources';
import { readSink } from '@hnotif/core/sinks';
import { RECIPES } from '../src/editor/cookbook.ts';
import { SINKS, sinkChoice, type SinkId } from '../src/editor/sinks.ts';
import { OPERATIONS, TARGET_COUNTS, type EventChoice } from '../src/editor/work.ts';
import { startBundledWorker, type BundledWorker } from './worker.ts';

type Example = Extract<EventChoice, { from: 'example' }>;

const EVENTS: readonly Example[] = EVENT_KINDS.flatMap((kind) =>
  OPERATIONS.flatMap((operation) =>
    TARGET_COUNTS.flatMap((targets) =>
      [false, true].map((hostile) => ({ from: 'example', kind, operation, targets, hostile }) as const),
    ),
  ),
);

/** What `hnotif render` gives. */
async function inNode(id: SinkId, text: string, source: Source): Promise<string> {
  const { type, config, isBuiltIn } = sinkChoice(id);
  const now = Date.parse(source.event.timestamp);
  const clock = { now: () => now, monotonic: () => 0, random: () => 0, after: () => () => undefined };
  const settings = recordingSettings(
    {
      ...{ clock, chatApiUrl: 'https://slack.com/api', botApiUrl: 'https://api.telegram.org' },
      problem: () => undefined,
      readTls: () => ({ ok: true, tls: undefined }),
    },
    { namespace: 'shop', notification: 'nights', sink: source.sinkName },
  );
  const reading = readSink(type, JSON.stringify(config), settings);
  if (!reading.ok) throw new Error(reading.problems.join('; '));
  const { sink } = reading;
  const template =
    sink.ignoresTemplate === undefined && isBuiltIn !== true
      ? { name: 'night-words/template.gotpl', text }
      : undefined;
  const { requests } = await rehearse(sink, { name: source.sinkName, type }, source, template, settings);
  return JSON.stringify(requests);
}

describe('the page in a browser makes, byte for byte, the requests of the controller', () => {
  let worker: BundledWorker;
  beforeAll(async () => {
    worker = await startBundledWorker();
  });
  afterAll(() => worker.close());

  /** A third of the events for each template: the next one has others. */
  let turn = 0;
  const compare = async (sink: SinkId, template: string): Promise<void> => {
    turn++;
    for (const event of EVENTS.filter((_, index) => (index + turn) % 3 === 0)) {
      const { kind, operation, targets, hostile } = event;
      const { type } = sinkChoice(sink);
      const source = withExampleNotification(syntheticSource(kind, type, operation, targets, hostile));
      const { requests } = await worker.answer({ template, sink, event, timezone: 'UTC', timedOut: false });
      const here = await inNode(sink, template, source);
      expect(requests.length).toBeGreaterThan(0);
      expect([event, JSON.stringify(requests)]).toEqual([event, here]);
    }
  };

  it.each(RECIPES)('for the template “$title”', ({ sink, template }) => compare(sink, template));

  it.each(SINKS)('for a template that fails, in $label', ({ id }) =>
    compare(id, '{{ .Plan.Name }}{{ .Nothing }}'),
  );

  it('for functions that need a digest, a time zone, or a pattern', () =>
    compare(
      'webhook',
      '{{ sha256sum .CycleID }} {{ b64enc .ErrorMessage }} {{ dateInZone "15:04 MST" .Timestamp "Asia/Kathmandu" }} {{ regexReplaceAll "[aeiou]+" .Phase "<$0>" }}',
    ));
});
