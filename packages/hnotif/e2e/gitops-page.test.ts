import { execFileSync } from 'node:child_process';
import { evaluate } from '@marcbachmann/cel-js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { KubeObject } from '../../lab/src/kube.ts';
import { blocksIn, readPage } from './support/page.ts';
import { missing } from './support/programs.ts';
import { World } from './support/world.ts';

const BLOCKS = blocksIn(await readPage('docs/howto/gitops.md')).map(({ text }) => parse(text) as object);
const LUA = ['lua', 'lua5.4'].find((program) => missing(program, '-v') === '');

/** What a tool says of a notification. */
type Health = 'Healthy' | 'Degraded' | 'Progressing';

/** A notification as hnotif leaves it, in each state. */
async function notifications(): Promise<readonly (readonly [Health, KubeObject])[]> {
  const world = await World.start();
  await world.plan('orders');
  await world.secret('good');
  for (const name of ['good', 'bad']) await world.notification(name, { onEvents: ['Start'] });
  const get = (name: string): Promise<KubeObject> => world.kube.get(world.notificationPath(name));
  const untouched = await get('good');
  await world.synced();
  const ready = (status: string) => (seen: { conditions?: readonly { type: string; status: string }[] }) =>
    seen.conditions?.some((each) => each.type === 'Ready' && each.status === status) === true;
  await world.status('good', ready('True'));
  await world.status('bad', ready('False'));
  const [good, bad] = await Promise.all([get('good'), get('bad')]);
  const { generation = 1 } = good.metadata;
  return [
    ['Progressing', untouched],
    ['Healthy', good],
    ['Degraded', bad],
    // Changed since hnotif has looked at it.
    ['Progressing', { ...good, metadata: { ...good.metadata, generation: generation + 1 } }],
    ['Progressing', { ...bad, status: { observedGeneration: generation } }],
  ];
}

/** A value in Lua's notation. */
function lua(value: unknown): string {
  if (value === null || value === undefined) return 'nil';
  if (typeof value !== 'object') return typeof value === 'string' ? luaText(value) : JSON.stringify(value);
  const fields = Array.isArray(value)
    ? value.map(lua)
    : Object.entries(value).map(([key, each]) => `[${luaText(key)}] = ${lua(each)}`);
  return `{ ${fields.join(', ')} }`;
}

const luaText = (text: string): string =>
  `"${Array.from(Buffer.from(text), (byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`;

describe('docs/howto/gitops.md', () => {
  const skipped = LUA === undefined ? ' (skipped: lua is not installed)' : '';
  it.skipIf(LUA === undefined)(`Argo CD sees the health of a notification${skipped}`, async () => {
    const { data } = BLOCKS.find((block) => 'data' in block) as { data: Record<string, string> };
    const script = data['resource.customizations.health.hibernation.dev_HibernateNotification'] ?? '';
    for (const [health, object] of await notifications()) {
      const program = `obj = ${lua(object)}
local health = (function()\n${script}\nend)()
print(health.status .. " " .. health.message)`;
      const output = execFileSync(LUA ?? '', ['-'], { input: program }).toString();
      expect(output).toMatch(new RegExp(`^${health} \\S`));
    }
  });

  it('Flux sees the health of a notification', async () => {
    const { spec } = BLOCKS.find(
      (block) => 'kind' in block && block.kind === 'Kustomization' && 'spec' in block,
    ) as {
      spec: { healthCheckExprs: readonly Record<'inProgress' | 'failed' | 'current', string>[] };
    };
    const [expressions] = spec.healthCheckExprs;
    /** In Flux's order. An object without a status makes an error of the expression; Flux looks again then. */
    const healthOf = (object: KubeObject): Health | undefined => {
      if (expressions === undefined) return undefined;
      if (object.status === undefined) return 'Progressing';
      // CEL's integers are 64 bits wide.
      const context = JSON.parse(JSON.stringify(object), (_, value: unknown) =>
        Number.isInteger(value) ? BigInt(value as number) : value,
      ) as Record<string, unknown>;
      if (evaluate(expressions.inProgress, context) === true) return 'Progressing';
      if (evaluate(expressions.failed, context) === true) return 'Degraded';
      return evaluate(expressions.current, context) === true ? 'Healthy' : undefined;
    };
    for (const [health, object] of await notifications())
      expect([object.metadata.name, healthOf(object)]).toEqual([object.metadata.name, health]);
  });
});
