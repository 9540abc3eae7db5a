import { describe, expect, it } from 'vitest';
import type { WebhookRecord } from '@hnotif/receivers';
import { World } from './support/world.ts';

const rendered = (record: WebhookRecord | undefined): unknown =>
  (record?.json as { rendered?: unknown }).rendered;

/** A world with one webhook of this configuration, which has been told of a Start. */
async function started(config: object, template?: string): Promise<{ world: World; record: WebhookRecord }> {
  const world = await World.start();
  await world.secret('audit', config);
  if (template !== undefined) await world.templates('texts', { 'template.gotpl': template });
  const templateRef = { name: 'texts' };
  const sink = { name: 'audit', ...(template !== undefined && { templateRef }) };
  await world.notification('audit', { onEvents: ['Start'], sinks: [sink] });
  await world.plan('orders');
  await world.synced();
  await world.hibernate('orders');
  const [record] = await world.received(1);
  if (record === undefined) throw new Error('nothing arrived');
  return { world, record };
}

describe('a webhook', () => {
  it('url is required', async () => {
    const world = await World.start();
    await world.configure('audit', { headers: {} });
    await world.notification('audit', { onEvents: ['Start'] });
    await world.synced();
    const { conditions } = await world.status(
      'audit',
      (status) => status.conditions?.[0]?.status === 'False',
    );
    expect(conditions?.[0]).toMatchObject({ reason: 'ConfigInvalid' });
    expect(conditions?.[0]?.message).toMatch(/url: is missing; give the https address/);
  });

  it('a template in url is refused with a remedy: nothing is sent to an address that nobody means', async () => {
    const world = await World.start();
    await world.secret('audit', { url: `${world.receiver.url}{{ .Plan.Name }}` });
    await world.notification('audit', { onEvents: ['Start'] });
    await world.plan('orders');
    await world.synced();
    await world.hibernate('orders');
    const { conditions } = await world.status(
      'audit',
      (status) => status.conditions?.[0]?.status === 'False',
    );
    expect(conditions?.[0]).toMatchObject({ reason: 'ConfigInvalid' });
    expect(conditions?.[0]?.message).toContain('url: holds a template ({{ … }}), which is not replaced');
    await world.secret('audit', { url: `${world.receiver.url}orders?filter={"a":{"b":1}}` });
    const [record] = await world.received(1);
    expect(record?.path).toMatch(/^\/orders\?filter=/);
  });

  it('headers are added to each request', async () => {
    const { record } = await started({ headers: { Authorization: 'Bearer made-up', 'X-Team': 'orders' } });
    expect(record.method).toBe('POST');
    expect(record.headers).toMatchObject({ authorization: 'Bearer made-up', 'x-team': 'orders' });
    expect(record.headers['content-type']).toBe('application/json');
  });

  it('enable_renderer adds the output of the template', async () => {
    const { record } = await started(
      { enable_renderer: true },
      '{{ .Plan }}: {{ .Event | upper }} of {{ len .Targets }} <{{ .SinkType }}>',
    );
    expect(rendered(record)).toBe('team-a/orders: START of 1 <webhook>');
    expect(record.schemaErrors).toEqual([]);
  });

  it('enable_renderer without a template adds the built-in line', async () => {
    const { record } = await started({ enable_renderer: true });
    expect(rendered(record)).toBe('[Start] shutdown - team-a/orders | Phase: Hibernating');
  });

  it('without enable_renderer there is no rendered, and templateRef has no effect', async () => {
    const { world, record } = await started({ enable_renderer: false }, 'text of the template');
    expect(record.rawBody.toString()).not.toMatch(/rendered|text of the template/);
    const { conditions } = await world.status('audit', (status) => status.conditions?.[0]?.status === 'True');
    expect(conditions?.[0]?.message).toContain('templateRef has no effect: enable_renderer is not true');
  });
});
