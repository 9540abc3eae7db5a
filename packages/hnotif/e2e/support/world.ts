import { onTestFinished } from 'vitest';
import { World as LabWorld } from '../../../lab/src/world.ts';

export { DEFAULT_API_GROUP as GROUP } from '@hnotif/core/resources';
export { NAMESPACE, type SinkSpec } from '../../../lab/src/objects.ts';
export { contextOf, inWords, type Context } from '../../../lab/src/payload.ts';
export { SIGNING_SECRET } from '../../../lab/src/world.ts';

/** The present metrics of the controller. */
export const metricsOf = async ({ metricsUrl }: { readonly metricsUrl: string }): Promise<string> =>
  (await fetch(`${metricsUrl}/metrics`)).text();

export type World = LabWorld;

/** The worlds of tests: each ends with its test. */
export const World = {
  async start(...options: Parameters<typeof LabWorld.start>): Promise<World> {
    const world = await LabWorld.start(...options);
    onTestFinished(() => world.close());
    return world;
  },
};
