/** Writes the pages of `docs/` that are made from tables in the code; its test says when one is not up to date. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DROP_REASONS } from '../packages/hnotif/src/dispatch/reasons.ts';
import { toYaml } from '../packages/hnotif/src/cli/format.ts';
import { crds, DEFAULT_API_GROUP } from '@hnotif/core/resources';
import { LABELS, METRICS, type MetricSpec } from '../packages/hnotif/src/observe/metric-table.ts';

import { code, table } from './markdown.ts';
import { commandsPage, resourcePage, templatesPage } from './reference-pages.ts';
import { reasonsPage } from './reasons-page.ts';
import { receiversPage } from './receivers-page.ts';

const root = join(import.meta.dirname, '..');

/** The generated files by their path in the repository. */
const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/metrics.md': metricsPage,
  'docs/receivers.md': receiversPage,
  'docs/reference/resource.md': resourcePage,
  'docs/reference/commands.md': commandsPage,
  'docs/reference/templates.md': templatesPage,
  'docs/reference/reasons.md': reasonsPage,
  'deploy/crds/crds.yaml': crdsFile,
};

/** The paths of pages that are not as they would be written. */
export async function stalePages(): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, page] of Object.entries(PAGES)) {
    const present = await readFile(join(root, path), 'utf8').catch(() => '');
    if (present !== (await page())) stale.push(path);
  }
  return stale;
}

/** As `hnotif crds` prints them. */
function crdsFile(): string {
  return `# Written by scripts/docs.ts, as hnotif crds prints it: change packages/core/src/resources/crds, then run
# node --import tsx scripts/docs.ts
${toYaml(crds(DEFAULT_API_GROUP, { withPlans: false }))}`;
}

function metricsPage(): string {
  const specs = Object.values(METRICS) as readonly MetricSpec[];
  const buckets = specs.filter((spec) => spec.buckets !== undefined);
  return `<!-- Written by scripts/docs.ts from packages/hnotif/src/observe/metric-table.ts: change that, then run
node --import tsx scripts/docs.ts -->

# Metrics

\`GET /metrics\` on port 8080 (\`--metrics-address\`) answers in Prometheus' text format. Names and labels below are
stable within a minor version. Credentials, URLs and texts of messages never are in them.

${table(
  ['name', 'type', 'unit', 'labels', 'what it counts'],
  specs.map(({ name, type, unit, labels, help }) => [
    code(name),
    type,
    unit,
    labels.map(code).join(', '),
    help,
  ]),
)}

A scrape shows the moment of its rendering, which is at most a second old: one rendering is given to all who ask meanwhile.

Beside these there are the process metrics which prom-client has for Node (\`process_*\`, \`nodejs_*\`). With a Node that can
measure each turn of the event loop (that of the image can), \`nodejs_eventloop_lag_*\` are the turns since the last scrape; with an older one
they are those of a timer of 10 ms, and at least 10 ms.

## Who may read them

By default all who reach the port: keep them few by a NetworkPolicy. With \`--metrics-auth\` a request needs a bearer token. hnotif asks the
API server whose it is (TokenReview) and whether that user may \`get\` the \`nonResourceURL\` \`/metrics\` (SubjectAccessReview), as
kubebuilder's controllers do:

| answer | when |
| --- | --- |
| 401 | no token, or one that the API server does not know |
| 403 | the user may not; bind the ClusterRole \`hnotif-metrics-reader\` of \`deploy/kustomize/components/metrics-auth\` to the account of your Prometheus |
| 503 | the API server cannot review the token, or too many tokens are reviewed; the log has the reason |

A yes is believed for a minute, a no for 10 s. hnotif itself needs the ClusterRole \`hnotif-metrics-auth\` of that file. \`/healthz\` and \`/readyz\` need no
token.

The port speaks plain HTTP, so a token crosses the network unencrypted, and one who can listen there can use it until it expires. Give the
scraper an account that may read metrics and nothing else, with a token that expires; or let a service mesh or a proxy beside hnotif bring TLS, with
\`--metrics-address=127.0.0.1:8080\`.

## Alerts and a dashboard

\`deploy/monitoring\` has rules for Prometheus and a dashboard for Grafana. The Helm chart can install both.
[operations.md](operations.md) describes them, and how to scrape hnotif.

## Labels

${table(
  ['label', 'value'],
  Object.entries(LABELS).map(([label, help]) => [code(label), help]),
)}

## Why a delivery was dropped

The values of \`reason\` of \`${METRICS.dropped.name}\`:

${table(
  ['reason', 'meaning'],
  Object.entries(DROP_REASONS).map(([reason, meaning]) => [code(reason), meaning]),
)}

## Buckets of histograms

${buckets.map(({ name, unit, buckets: bounds }) => `- ${code(name)}, in ${unit}: ${(bounds ?? []).join(', ')}`).join('\n')}

## Questions and queries

- Are messages lost? \`sum by (reason) (rate(${METRICS.dropped.name}[5m])) > 0\`
- Which sink fails? \`sum by (namespace, notification, sink, reason) (rate(${METRICS.failed.name}[15m])) > 0\`
- How long does a message take? \`histogram_quantile(0.99, sum by (le, sink_type) (rate(${METRICS.deliveryDelay.name}_bucket[5m])))\`
- Would a restart lose messages, or is a plan not served? \`sum by (reason) (${METRICS.plansUndurable.name}) > 0\`
- Does the backlog grow? \`deriv(${METRICS.journalDeliveries.name}[15m]) > 0\`
`;
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, page] of Object.entries(PAGES)) await writeFile(join(root, path), await page());
}
