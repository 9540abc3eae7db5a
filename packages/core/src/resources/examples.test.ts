import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Routes } from '../routing/routes.ts';
import { readWebhookConfig } from '../sinks/webhook/config.ts';
import { parseCloudProvider, parseK8SCluster, resolveConnector } from './connectors.ts';
import { crds } from './crds/crds.ts';
import { DEFAULT_API_GROUP } from './group.ts';
import { parseNotification } from './parse-notification.ts';
import { parsePlan } from './parse-plan.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly stringData?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, string>>;
}

const folder = join(import.meta.dirname, '../../../../examples');

async function readExamples(): Promise<Manifest[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml')).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap((text) =>
    parseAllDocuments(text, { version: '1.1' }).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Manifest;
    }),
  );
}

/** The manifest that a new user copies. */
async function readReadme(): Promise<Manifest[]> {
  const readme = await readFile(join(folder, '../README.md'), 'utf8');
  const [, yaml = ''] = /^```yaml\n([^]*?)^```$/m.exec(readme) ?? [];
  return parseAllDocuments(yaml, { version: '1.1' }).map((document) => document.toJS() as Manifest);
}

const manifests = await readExamples();
const of = (kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
const plans = of('HibernatePlan').map(parsePlan);
const notifications = of('HibernateNotification').map(parseNotification);

interface Config {
  readonly url?: string;
  readonly webhook_url?: string;
  readonly bot_token?: string;
  readonly token?: string;
  readonly headers?: { readonly Authorization?: string };
  readonly signing_secret?: string;
  readonly delivery_mode?: string;
  readonly format?: string;
  readonly enable_renderer?: boolean;
}

/** The configuration in the secret of this name. */
const configOf = (name: string): Config => {
  const secret = of('Secret').find(({ metadata }) => metadata.name === name);
  return JSON.parse(secret?.stringData?.config ?? '') as Config;
};

/** JSON Schema's reading of a CRD's schema: enough for types, required fields, patterns and bounds. */
function validators(): Map<string, ValidateFunction> {
  const ajv = new Ajv({ strict: false, allErrors: true });
  for (const format of ['int32', 'int64', 'date-time']) ajv.addFormat(format, true);
  return new Map(
    crds(DEFAULT_API_GROUP, { withPlans: true }).map(({ spec }) => [
      spec.names.kind,
      ajv.compile(spec.versions[0]?.schema.openAPIV3Schema ?? {}),
    ]),
  );
}

describe('the examples', () => {
  it('can be applied in the order of their names: the namespace comes first', () => {
    expect(manifests[0]).toMatchObject({ kind: 'Namespace', metadata: { name: 'hnotif-demo' } });
    const elsewhere = manifests.slice(1).filter(({ metadata }) => metadata.namespace !== 'hnotif-demo');
    expect(elsewhere).toEqual([]);
  });

  it('are as the CRDs have them', () => {
    const schemas = validators();
    const custom = manifests.filter(({ apiVersion }) => apiVersion === 'hibernation.dev/v1alpha1');
    expect(custom.length).toBeGreaterThan(7);
    for (const manifest of custom) {
      const validate = schemas.get(manifest.kind);
      validate?.(manifest);
      expect(validate?.errors, manifest.metadata.name).toBeNull();
    }
  });

  it('hold plans that are read without a problem, with connectors that are there', () => {
    expect(plans).toHaveLength(3);
    const [providers, clusters] = [
      of('CloudProvider').map(parseCloudProvider),
      of('K8SCluster').map(parseK8SCluster),
    ];
    const lookup = {
      cloudProvider: (_: string, name: string) => providers.find((one) => one.name === name),
      k8sCluster: (_: string, name: string) => clusters.find((one) => one.name === name),
    };
    for (const plan of plans) {
      expect(plan.problems).toEqual([]);
      for (const { connectorRef } of plan.targets)
        expect(resolveConnector(connectorRef, lookup)).toMatchObject({
          provider: expect.stringMatching(/^(aws|gcp)$/) as string,
          region: expect.stringMatching(/^a/) as string,
        });
    }
  });

  it('hold notifications that match plans, with the secrets of their sinks', () => {
    const routes = new Routes();
    for (const notification of notifications) routes.setNotification(notification);
    for (const plan of plans) routes.setPlan(plan);
    expect(notifications.map(({ name }) => [name, routes.matched('hnotif-demo', name)])).toEqual([
      ['storefront', 3],
      ['oncall', 2],
      ['storefront-nights', 1],
      ['outcomes', 3],
    ]);
    const secrets = of('Secret').map(({ metadata }) => metadata.name);
    const named = notifications.flatMap(({ sinks }) => sinks.map(({ secretRef }) => secretRef.name));
    expect(named.toSorted()).toEqual(secrets.toSorted());
  });

  it('show each way to send once', () => {
    const ways = notifications.flatMap(({ sinks }) =>
      sinks.map(({ type, secretRef, templateRef }) => {
        const config = configOf(secretRef.name);
        const mode = config.delivery_mode ?? (config.enable_renderer === true ? 'rendered' : '');
        return [type, mode, config.format ?? '', templateRef?.key ?? ''].join(' ').trim();
      }),
    );
    expect(ways.toSorted()).toEqual([
      'botchat',
      'botchat   template.gotpl',
      'msteams',
      'teamchat  json',
      'teamchat  json blocks.gotpl',
      'teamchat thread json',
      'webhook',
      'webhook rendered',
    ]);
  });

  it('send to this machine alone, with credentials that are plainly made up', () => {
    const configs = of('Secret').map(({ metadata }) => configOf(metadata.name));
    for (const { url, webhook_url, bot_token, token, headers, signing_secret } of configs) {
      if (url !== undefined) {
        expect(url).toMatch(/^http:\/\/127\.0\.0\.1:8099\/hooks\//);
        expect(headers?.Authorization).toContain('made-for-the-demo');
        const key = Buffer.from((signing_secret ?? '').replace(/^whsec_/, ''), 'base64');
        // Standard Webhooks asks for 24 to 64 bytes.
        expect(key.length).toBeGreaterThanOrEqual(24);
        expect(key.toString()).toMatch(/^made for the demo: /);
      }
      if (webhook_url !== undefined)
        expect(webhook_url).toMatch(
          /^http:\/\/127\.0\.0\.1:(8098\/services\/made\/for\/the-demo|8096\/workflows\/made-for-the-demo.*&sig=made-for-the-demo$)/,
        );
      for (const each of [bot_token, token])
        if (each !== undefined) expect(each).toContain('made-for-the-demo');
    }
  });

  it('have the templates of their config maps as files, too', async () => {
    const file = (name: string): Promise<string> => readFile(join(folder, 'templates', name), 'utf8');
    expect(of('ConfigMap').map(({ metadata, data }) => [metadata.name, data])).toEqual([
      [
        'oncall-templates',
        {
          'template.gotpl': await file('incident.tmpl'),
          'blocks.gotpl': await file('incident-blocks.tmpl'),
        },
      ],
    ]);
  });
});

describe('the manifest of the README', () => {
  it('can be applied to a cluster that has nothing of it: each object comes after what it needs', async () => {
    const all = await readReadme();
    expect(all.map(({ kind, metadata }) => [kind, metadata.namespace ?? metadata.name])).toEqual([
      ['Namespace', 'payments'],
      ['Secret', 'payments'],
      ['HibernateNotification', 'payments'],
    ]);
    const [, secret, notification] = all;
    const validate = validators().get('HibernateNotification');
    validate?.(notification);
    expect(validate?.errors).toBeNull();
    expect(parseNotification(notification).sinks).toMatchObject([
      { type: 'webhook', secretRef: { name: secret?.metadata.name } },
    ]);
    const config = readWebhookConfig(JSON.parse(secret?.stringData?.config ?? ''), () => undefined);
    expect(config).toMatchObject({ ok: true, notes: [] });
  });
});
