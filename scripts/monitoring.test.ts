import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { missing } from '../packages/hnotif/e2e/support/programs.ts';
import { WAIT_KINDS } from '../packages/hnotif/src/dispatch/delivery.ts';
import { DROP_REASONS } from '../packages/hnotif/src/dispatch/reasons.ts';
import { createMetrics } from '../packages/hnotif/src/observe/metrics.ts';
import { LABELS, METRICS, type MetricSpec } from '../packages/hnotif/src/observe/metric-table.ts';
import { usesOf } from './promql.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'deploy/monitoring');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const rulesText = await readFile(join(folder, 'rules.yaml'), 'utf8');
const { groups } = parse(rulesText) as { groups: readonly { name: string; rules: readonly Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8')) as {
  panels: readonly Panel[];
};
const targets = dashboard.panels.flatMap(({ title, targets: of = [] }) =>
  of.map(({ expr, legendFormat }) => ({ title, expr, legend: legendFormat })),
);

/** The labels of each series that a scrape has, by its name. */
const series = new Map<string, ReadonlySet<string>>();
for (const { name, type, labels } of Object.values(METRICS) as readonly MetricSpec[])
  if (type === 'histogram') {
    series.set(`${name}_bucket`, new Set([...labels, 'le']));
    for (const part of ['sum', 'count']) series.set(`${name}_${part}`, new Set(labels));
  } else series.set(name, new Set(labels));
// Node's own, which docs/metrics.md names by their prefixes.
for (const [, name = ''] of (await createMetrics('1').text()).matchAll(
  /^# TYPE ((?:process|nodejs)_\S+) (?!histogram)/gm,
))
  series.set(name, new Set());

/** Labels that Prometheus adds. */
const TARGET = ['instance', 'job'];

/** Values of labels that are closed sets. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  state: WAIT_KINDS,
  outcome: LABELS.outcome.replace(' (one request of several)', '').split(/, | or /),
};

const FUNCTIONS = new Set(
  'sum increase rate absent vector histogram_quantile and or unless offset on by'.split(' '),
);

/** What is wrong with an expression. */
function faultsOf(expression: string): string[] {
  const { selectors, aggregations, words, on } = usesOf(expression);
  const faults = words.filter((word) => !FUNCTIONS.has(word)).map((word) => `unknown word ${word}`);
  if (selectors.length === 0) faults.push('no metric');
  for (const { metric, matchers } of selectors) {
    const labels = series.get(metric);
    if (labels === undefined) faults.push(`unknown metric ${metric}`);
    for (const { label, operator, value } of matchers) {
      if (labels?.has(label) === false) faults.push(`${metric} has no label ${label}`);
      const values =
        label === 'reason' && metric === METRICS.dropped.name ? Object.keys(DROP_REASONS) : VALUES[label];
      for (const word of operator.endsWith('~') ? value.split('|') : [value])
        if (values?.includes(word) === false) faults.push(`${label} is never ${word}`);
    }
  }
  for (const { labels, metrics } of aggregations)
    for (const label of labels)
      for (const metric of metrics)
        if (series.get(metric)?.has(label) !== true) faults.push(`${metric} has no label ${label}`);
  for (const label of on) if (!TARGET.includes(label)) faults.push(`on ${label}`);
  return faults;
}

/** The labels of the result: those of the first aggregation. */
const labelsOf = (expression: string): readonly string[] => usesOf(expression).aggregations[0]?.labels ?? [];

describe('the check of expressions', () => {
  it.each([
    ['sum(hnotif_nothing_total)', 'unknown metric hnotif_nothing_total'],
    ['sum(hnotif_sinks_waiting{sink="a"})', 'hnotif_sinks_waiting has no label sink'],
    ['sum(hnotif_sinks_waiting{state=~"parked|stopped"})', 'state is never stopped'],
    ['sum by (sink) (hnotif_sinks_waiting)', 'hnotif_sinks_waiting has no label sink'],
    ['sum(hnotif_deliveries_dropped_total{reason!="gone"})', 'reason is never gone'],
    ['hnotif_leader and up', 'unknown word up'],
    ['vector(0)', 'no metric'],
  ])('%s: %s', (expression, fault) => {
    expect(faultsOf(expression)).toEqual([fault]);
  });

  it.each(['sum(hnotif_leader', 'sum(hnotif_leader))', 'hnotif_leader{state="a"', 'hnotif_leader §'])(
    '%s is refused',
    (expression) => {
      expect(() => faultsOf(expression)).toThrow(/brackets|not PromQL/);
    },
  );
});

describe('deploy/monitoring/rules.yaml', () => {
  it('uses only metrics, labels and values that hnotif has', () => {
    expect(rules.length).toBeGreaterThan(8);
    expect(rules.flatMap(({ alert, expr }) => faultsOf(expr).map((fault) => `${alert}: ${fault}`))).toEqual(
      [],
    );
  });

  it('names each alert once, with a severity', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels } of rules) {
      expect(alert).toMatch(/^Hnotif[A-Z]/);
      expect(['critical', 'warning', 'info']).toContain(labels.severity);
    }
  });

  it('has a summary, a description and a section of docs/troubleshooting.md for each alert', async () => {
    const page = await readFile(join(root, 'docs/troubleshooting.md'), 'utf8');
    const anchors = [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    for (const { alert, annotations } of rules) {
      expect(Object.keys(annotations), alert).toEqual(['summary', 'description', 'runbook']);
      const [file, anchor] = annotations.runbook?.split('#') ?? [];
      expect(file, alert).toBe('docs/troubleshooting.md');
      expect(anchors, alert).toContain(anchor);
    }
  });

  it('uses in its texts only labels of the result', () => {
    for (const { alert, expr, annotations } of rules)
      for (const [, label] of Object.values(annotations)
        .join(' ')
        .matchAll(/\$labels\.(\w+)/g))
        expect(labelsOf(expr), alert).toContain(label);
  });

  it('is described alert by alert in docs/operations.md', async () => {
    const page = await readFile(join(root, 'docs/operations.md'), 'utf8');
    const described = [...page.matchAll(/^\| `(Hnotif\w+)` \|/gm)].map(([, alert]) => alert);
    expect(described).toEqual(rules.map(({ alert }) => alert));
  });

  it('has a unit test for each alert', async () => {
    const tests = await readFile(join(folder, 'rules.test.yaml'), 'utf8');
    for (const { alert } of rules) expect(tests).toContain(alert);
  });
});

describe('deploy/monitoring/dashboard.json', () => {
  it('uses only metrics, labels and values that hnotif has', () => {
    expect(targets.length).toBeGreaterThan(20);
    expect(targets.flatMap(({ title, expr }) => faultsOf(expr).map((fault) => `${title}: ${fault}`))).toEqual(
      [],
    );
  });

  it('uses in its legends only labels of the result', () => {
    for (const { title, expr, legend } of targets)
      for (const [, label] of legend.matchAll(/\{\{(\w+)\}\}/g))
        expect([...labelsOf(expr), ...TARGET], title).toContain(label);
  });

  it('has panels with different ids that do not overlap', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const taken = new Set<string>();
    for (const { title, gridPos } of dashboard.panels) {
      const { x, y, w, h } = gridPos;
      expect(x + w, title).toBeLessThanOrEqual(24);
      for (let column = x; column < x + w; column++)
        for (let row = y; row < y + h; row++) {
          expect(taken.has(`${column} ${row}`), title).toBe(false);
          taken.add(`${column} ${row}`);
        }
    }
  });
});

const reason = missing('promtool');

describe.skipIf(reason !== '')(`promtool${reason && ` (skipped: ${reason})`}`, () => {
  const promtool = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('promtool', args)).stdout;

  it('accepts the rules', async () => {
    expect(await promtool('check', 'rules', join(folder, 'rules.yaml'))).toContain(
      `${rules.length} rules found`,
    );
  });

  it('runs the unit tests of the rules', async () => {
    expect(await promtool('test', 'rules', join(folder, 'rules.test.yaml'))).toContain('SUCCESS');
  });

  it('accepts every expression of the dashboard', async () => {
    const temporary = await mkdtemp(join(tmpdir(), 'hnotif-promtool-'));
    onTestFinished(() => rm(temporary, { recursive: true, force: true }));
    const file = join(temporary, 'dashboard.yaml');
    const records = targets.map(({ expr }, n) => ({
      record: `panel:${n}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    await writeFile(file, stringify({ groups: [{ name: 'dashboard', rules: records }] }));
    expect(await promtool('check', 'rules', file)).toContain(`${targets.length} rules found`);
  });
});
