import {
  type FuncMap,
  GoError,
  parseAll,
  type Source,
  type Template,
  type Value,
  fn,
} from '@hnotif/gotemplate';
import type { Chart } from './chart.ts';
import { HELM } from './functions.ts';
import { type Capabilities, capabilitiesOf } from './objects.ts';
import { faultsOf } from './schema.ts';
import { coalesce, mergeFiles, type Values } from './values.ts';
import { type KubeObject, parseManifests } from './yaml.ts';

export interface RenderOptions {
  readonly name: string;
  readonly namespace: string;
  /** As the files of `--values`, in their order. */
  readonly values?: readonly Values[];
  readonly capabilities?: Capabilities;
}

/** One template's result. */
export interface Rendered {
  /** The path in the chart. */
  readonly file: string;
  readonly text: string;
  readonly docs: readonly KubeObject[];
}

export interface Rendering {
  /** By path; those without objects are left out. */
  readonly files: readonly Rendered[];
  readonly notes: string;
}

/**
 * Renders a chart as `helm template` does. Throws an Error for values that the chart's schema refuses and for manifests that are no
 * Kubernetes objects, and a TemplateError for a template that fails.
 */
export function renderChart(chart: Chart, options: RenderOptions): Rendering {
  const { name: chartName } = chart.metadata;
  const values = coalesce(mergeFiles(options.values ?? []), chart.values);
  const faults = chart.schema === undefined ? [] : faultsOf(chart.schema, values);
  if (faults.length > 0) throw new Error(`values of ${chartName}: ${faults.join('; ')}`);
  const data = {
    Values: values,
    Chart: chart.metadata.value,
    Files: chart.files,
    Capabilities: capabilitiesOf(options.capabilities),
    Release: {
      Name: options.name,
      Namespace: options.namespace,
      IsUpgrade: false,
      IsInstall: true,
      Revision: 1n,
      Service: 'Helm',
    },
    Subcharts: {},
  };
  const sources = Array.from(chart.templates, ([path, text]) => ({ name: `${chartName}/${path}`, text }));
  // Of two definitions of one name the one that is nearer to the top counts, then the first by name.
  sources.sort((a, b) => depth(b.name) - depth(a.name) || (a.name < b.name ? 1 : -1));
  const set = parseSet(sources);
  const files: Rendered[] = [];
  let notes = '';
  for (const path of [...chart.templates.keys()].sort()) {
    if (/(^|\/)_[^/]*$/.test(path)) continue;
    const name = `${chartName}/${path}`;
    const text = withoutNone(
      set.executeTemplate(name, { ...data, Template: { Name: name, BasePath: `${chartName}/templates` } }),
    );
    if (path === 'templates/NOTES.txt') notes = text;
    else {
      const docs = parseManifests(path, text);
      if (docs.length > 0) files.push({ file: path, text, docs });
    }
  }
  return { files, notes };
}

const depth = (path: string): number => path.split('/').length;

/** What Go writes for a key that is missing in a map of any values. */
const withoutNone = (text: string): string => text.replaceAll('<no value>', '');

/** Charts are trusted, and one may include much. */
const LIMITS = { time: 60_000, steps: 500_000_000, memory: 1 << 30, output: 1 << 26, source: 1 << 24 };

/** Calls of `include` and `tpl` within each other; Helm permits 1,000. */
const MAX_NESTING = 100;

/** The texts with `include` and `tpl`, which see all their definitions. */
function parseSet(sources: readonly Source[], nesting = { depth: 0 }): Template {
  const nested = (what: string, run: () => string): string => {
    if (nesting.depth === MAX_NESTING)
      throw new GoError(`${what}: more than ${MAX_NESTING} nested calls of include and tpl`);
    nesting.depth++;
    try {
      return run();
    } catch (error) {
      throw new GoError(error instanceof Error ? error.message : String(error), { cause: error });
    } finally {
      nesting.depth--;
    }
  };
  const funcs: FuncMap = {
    ...HELM,
    include: fn('func(string, interface {}) (string, error)', (name: string, data: Value) =>
      nested(`include ${name}`, () => set.executeTemplate(name, data)),
    ),
    tpl: fn('func(string, interface {}) (string, error)', (text: string, data: Value) => {
      if (!text.includes('{{')) return withoutNone(text);
      return nested('tpl', () => {
        // Each needs a name of its own: definitions of an outer text stay visible.
        const name = `gotpl ${sources.length}`;
        return withoutNone(parseSet([...sources, { name, text }], nesting).executeTemplate(name, data));
      });
    }),
  };
  const set = parseAll(sources, { funcs, missingkey: 'zero', limits: LIMITS });
  return set;
}
