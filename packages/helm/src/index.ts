/** Renders Helm charts in tests, without Helm. */
export { type Chart, type ChartFiles, loadChart } from './chart.ts';
export { readChart } from './folder.ts';
export type { Capabilities } from './objects.ts';
export { type Rendered, type Rendering, type RenderOptions, renderChart } from './render.ts';
export type { Values } from './values.ts';
export { type KubeObject, parseManifests } from './yaml.ts';
