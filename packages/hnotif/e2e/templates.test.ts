import { describe, expect, it } from 'vitest';
import type { WebhookRecord } from '@hnotif/receivers';
import type { Condition } from '@hnotif/core/resources';
import { ALL, evening, nightOf, places, ticking } from '../../lab/src/nights.ts';
import { metricsOf, World } from './support/world.ts';

const rendered = (record: WebhookRecord): string => (record.json as { rendered: string }).rendered;

/** Five times what a template may take, below the engine's bounds of steps and memory: only the clock ends it. */
const ENDLESS =
  '{{ $s := repeat 1000000 "ab" }}{{ range until 100000 }}{{ $x := regexMatch "(?i)k" $s }}{{ end }}';
/** Some hundredths of a second, on a busy machine some tenths: each is charged to the namespace, and 96 are to be within its budget. */
const SLOW = ENDLESS.replace('100000', '5');

interface Setting {
  readonly onEvents?: readonly string[];
  readonly spec?: object;
}

/** A world with a webhook whose messages this template makes. */
async function templated(
  template: string,
  { onEvents = ['Start'], spec = {} }: Setting = {},
): Promise<World> {
  const world = await World.start();
  await world.secret('audit', { enable_renderer: true });
  await world.templates('texts', { 'template.gotpl': template });
  await world.notification('audit', { onEvents, sinks: [{ name: 'audit', templateRef: { name: 'texts' } }] });
  const { targets } = await places(world);
  await world.plan('orders', [], {
    labels: { team: 'orders' },
    annotations: { owner: 'us' },
    spec: { targets, ...spec },
  });
  await world.synced();
  return world;
}

const ready = async (world: World, wanted: (condition: Condition) => boolean): Promise<Condition> => {
  const { conditions } = await world.status('audit', (status) => status.conditions?.some(wanted) === true);
  const condition = conditions?.find(wanted);
  if (condition === undefined) throw new Error('no condition');
  return condition;
};
const degraded = (world: World): Promise<Condition> =>
  ready(world, ({ reason }) => reason === 'MessagesDegraded');

describe('the data of a template', () => {
  it('a template sees every field of the event', async () => {
    const template =
      '{{ .Timestamp.Format "2006-01-02T15:04:05.000Z07:00" }} {{ .Event }}|{{ .Phase }}|{{ .PreviousPhase }}|{{ .Operation }}|{{ .CycleID }}|' +
      '{{ .Plan.Name }}|{{ .Plan.Namespace }}|{{ .Plan.Labels.team }}|{{ .Plan.Annotations.owner }}|' +
      '{{ len .Targets }}|{{ .SinkName }}|{{ .SinkType }}';
    const rest = 'c1|orders|team-a|orders|us|2|audit|webhook';
    const world = await templated(template, { onEvents: ALL.filter((kind) => kind !== 'ExecutionProgress') });
    const begun = Date.now();
    const timeOf = ticking(world);
    await nightOf(world, 'orders');
    const texts = (await world.received(11)).map(rendered);
    // The operator does not stamp the way out of Error: there it is the time at which it was seen.
    const seen = texts[4]?.split(' ')[0] ?? '';
    expect(Date.parse(seen)).toBeGreaterThanOrEqual(begun);
    expect(Date.parse(seen)).toBeLessThanOrEqual(Date.now());
    const at = (write: number): string => new Date(timeOf(write)).toISOString();
    expect(texts).toEqual([
      `${at(1)} Start|Hibernating||shutdown|${rest}`,
      `${at(1)} PhaseChange|Hibernating|Active|shutdown|${rest}`,
      `${at(6)} PhaseChange|Error|Hibernating|shutdown|${rest}`,
      `${at(7)} Recovery|Hibernating|Error|shutdown|${rest}`,
      `${seen} PhaseChange|Hibernating|Error|shutdown|${rest}`,
      `${at(9)} Success|Hibernated|Hibernating|shutdown|${rest}`,
      `${at(9)} PhaseChange|Hibernated|Hibernating|shutdown|${rest}`,
      `${at(10)} Start|WakingUp||wakeup|${rest}`,
      `${at(10)} PhaseChange|WakingUp|Hibernated|wakeup|${rest}`,
      `${at(12)} Success|Active|WakingUp|wakeup|${rest}`,
      `${at(12)} PhaseChange|Active|WakingUp|wakeup|${rest}`,
    ]);
  });

  it('a field in another case fails, with template, line and column in the condition', async () => {
    const world = await templated('first line\n{{ .plan.Name }}');
    await world.hibernate('orders');
    const { message } = await degraded(world);
    expect(message).toMatch(/sink audit: template texts\/template\.gotpl, line 2, column \d+: .*plan/);
  });
});

describe('the source of a template', () => {
  it('the key is template.gotpl unless templateRef names another', async () => {
    const world = await World.start();
    await world.templates('texts', { 'template.gotpl': 'by default', other: 'by its key' });
    for (const sink of ['a', 'b']) await world.secret(sink, { enable_renderer: true });
    await world.notification('n', {
      onEvents: ['Start'],
      sinks: [
        { name: 'a', templateRef: { name: 'texts' } },
        { name: 'b', templateRef: { name: 'texts', key: 'other' } },
      ],
    });
    await world.plan('orders');
    await world.synced();
    await world.hibernate('orders');
    expect((await world.received(2)).map(rendered).sort()).toEqual(['by default', 'by its key']);
  });

  it('is read again within seconds of a change, and reports about the old text are removed', async () => {
    const world = await templated('{{ .Nonsense }}', { onEvents: ['Start', 'Success'] });
    await world.hibernate('orders');
    await world.received(1);
    await degraded(world);
    await world.templates('texts', { 'template.gotpl': 'mended' });
    await ready(world, ({ reason }) => reason === 'SinksReady');
    await nightOf(world, 'orders');
    const records = await world.received(2);
    expect(records.slice(1).map(rendered)).toContain('mended');
  });

  it('a mistake is reported before the night, with its place and a suggestion', async () => {
    const world = await templated('{{ if eq .Event "Failure" }}{{ .PlanName }}{{ end }}');
    const { status, message } = await degraded(world);
    expect(status).toBe('True');
    expect(message).toContain(
      'template texts/template.gotpl, line 1, column 32: sink.Payload has no field PlanName',
    );
    expect(message).toContain('did you mean .Plan.Name?');
  });

  it('a layout that is not Go’s is reported before the night', async () => {
    const world = await templated('{{ .Timestamp.Format "YYYY-MM-DD" }}');
    const { status, message } = await degraded(world);
    expect(status).toBe('True');
    expect(message).toContain(
      'template texts/template.gotpl, line 1, column 22: "YYYY-MM-DD" is not a layout of Go',
    );
    expect(message).toContain('did you mean "2006-01-02"?');
  });

  it('an output that nobody can read is sent, and the condition reports it with its line', async () => {
    const world = await templated('{{ .Event }}\n{{ .Plan.Annotations.nosuch }}');
    await world.hibernate('orders');
    const [record] = await world.received(1);
    expect(record && rendered(record)).toBe('Start\n<no value>');
    const { status, message } = await degraded(world);
    expect(status).toBe('True');
    expect(message).toContain(
      'the output of template texts/template.gotpl, line 2: <no value> stands for .Plan.Annotations.nosuch, which is missing',
    );
  });

  it('a missing config map or key is replaced by the built-in message, and the condition reports it', async () => {
    const world = await World.start();
    await world.templates('texts', { other: 'x' });
    for (const sink of ['a', 'b']) await world.secret(sink, { enable_renderer: true });
    await world.notification('audit', {
      onEvents: ['Start'],
      sinks: [
        { name: 'a', templateRef: { name: 'nowhere' } },
        { name: 'b', templateRef: { name: 'texts' } },
      ],
    });
    await world.plan('orders');
    await world.synced();
    const { status, message } = await degraded(world);
    expect(status).toBe('True');
    expect(message).toContain('sink a: config map team-a/nowhere does not exist');
    expect(message).toContain('sink b: config map team-a/texts has no key template.gotpl');
    await world.hibernate('orders');
    for (const record of await world.received(2))
      expect(rendered(record)).toBe('[Start] shutdown - team-a/orders | Phase: Hibernating');
  });
});

describe('a template that fails', () => {
  it('a template that fails while it runs is replaced by plain text, with line and column in the condition', async () => {
    const world = await templated('{{ index .Targets 9 }}', {
      onEvents: ['Failure'],
      spec: { behavior: { retries: 0 } },
    });
    await evening(world, 'orders');
    const [record] = await world.received(1);
    expect(record && rendered(record)).toBe(
      'Failure: team-a/orders\nOperation: shutdown\nPhase: Error\nError: target vm: no capacity',
    );
    expect((await degraded(world)).message).toMatch(
      /template texts\/template\.gotpl, line 1, column 4: .*index out of range/,
    );
    await world.logged(/"reason":"TemplateExecutionFailed"/);
  });

  it('a template that never ends is replaced by plain text, and delays no other sink', async () => {
    const world = await World.start();
    await world.templates('texts', { 'template.gotpl': ENDLESS });
    await world.secret('slow', { enable_renderer: true });
    await world.secret('quick');
    await world.notification('slow', {
      onEvents: ['Start'],
      sinks: [{ name: 'slow', templateRef: { name: 'texts' } }, 'quick'],
    });
    const plans = ['plan-0', 'plan-1', 'plan-2'];
    for (const plan of plans) await world.plan(plan);
    const controller = await world.synced();
    for (const plan of plans) await world.hibernate(plan);
    await world.received(plans.length, 'quick');
    // Were it to wait for the template, no message would come before the one that stands before it.
    expect(world.receiver.records[0]?.path).toBe('/quick');
    const slow = await world.received(plans.length, 'slow');
    for (const record of slow) expect(rendered(record)).toContain('Phase: Hibernating');
    // Of the log lines, those that are alike are one.
    const told = async (reason: string): Promise<number> => {
      const line = new RegExp(`^hnotif_messages_degraded_total\\{.*reason="${reason}"\\} (\\d+)$`, 'm');
      return Number(line.exec(await metricsOf(controller))?.[1] ?? 0);
    };
    // Until it has used what a template alone may.
    await expect
      .poll(async () => (await told('TemplateTimedOut')) + (await told('TemplateSuspended')))
      .toBe(plans.length);
    expect(await told('TemplateTimedOut')).toBeGreaterThan(0);
    expect(await told('TemplateSuspended')).toBeGreaterThan(0);
    // It used 1 s of CPU time, or a slow machine did not give it that in 15 s.
    await world.logged(
      /"reason":"TemplateTimedOut".*(exceeded the time limit \(1000 ms\)|did not answer within 15 s)/,
    );
  });

  it('slow templates delay no message without a template, at the same receiver', async () => {
    const world = await World.start();
    const sinks = Array.from({ length: 8 }, (_, index) => `slow-${index}`);
    for (const [index, sink] of sinks.entries()) {
      await world.templates(sink, { 'template.gotpl': `${SLOW}${index}` });
      await world.secret(sink, { enable_renderer: true });
    }
    await world.secret('quick');
    await world.notification('slow', {
      onEvents: ['Start'],
      sinks: sinks.map((name) => ({ name, templateRef: { name } })),
    });
    await world.notification('quick', { onEvents: ['Start'] });
    // 96 slow messages: more than a receiver is sent at a time.
    const plans = Array.from({ length: 12 }, (_, index) => `plan-${index}`);
    for (const plan of plans) await world.plan(plan);
    const controller = await world.synced({ drainTimeoutMs: 0 });
    for (const plan of plans) await world.hibernate(plan);
    const paths = await world.receiver.waitFor((records) => {
      const seen = records.map(({ path }) => path);
      return seen.filter((path) => path === '/quick').length === plans.length && seen;
    });
    // Were they to wait for a place behind the slow ones, 32 of those would come before the last.
    expect(paths.slice(0, paths.lastIndexOf('/quick')).length).toBeLessThan(plans.length + 20);
    await world.received(plans.length + 1);
    await controller.stop();
  });
});
