import { execFile } from 'node:child_process';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Values } from '@hnotif/helm';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { VERSION } from '@hnotif/core/version';
import { CHART_FOLDER, objectsOf, optionsOf, podOf } from './support/chart.ts';
import { NO_KUBECTL } from './support/kubectl.ts';
import { temporary } from './support/temporary.ts';

const read = (path: string): Promise<string> => readFile(join(CHART_FOLDER, '../..', path), 'utf8');
const values = z.record(z.string(), z.unknown());
const name = z.strictObject({ name: z.literal('hnotif'), namespace: z.string() });

/** What the example uses of Argo CD's Application. */
const APPLICATION = z.strictObject({
  apiVersion: z.literal('argoproj.io/v1alpha1'),
  kind: z.literal('Application'),
  metadata: name,
  spec: z.strictObject({
    project: z.string(),
    destination: z.strictObject({ server: z.url(), namespace: z.string() }),
    source: z.strictObject({
      // An OCI registry is named without a scheme.
      repoURL: z.string().regex(/^[^:]+\/charts$/),
      chart: z.literal('hnotif'),
      targetRevision: z.literal(VERSION),
      helm: z.strictObject({ releaseName: z.string(), valuesObject: values }),
    }),
    syncPolicy: z.strictObject({
      automated: z.strictObject({ prune: z.boolean(), selfHeal: z.boolean() }),
      syncOptions: z.array(z.enum(['CreateNamespace=true', 'ServerSideApply=true'])),
    }),
  }),
});

/** What the example uses of Flux's OCIRepository and HelmRelease. */
const REPOSITORY = z.strictObject({
  apiVersion: z.literal('source.toolkit.fluxcd.io/v1'),
  kind: z.literal('OCIRepository'),
  metadata: name,
  spec: z.strictObject({
    interval: z.string(),
    url: z.string().regex(/^oci:\/\/.+\/charts\/hnotif$/),
    ref: z.strictObject({ tag: z.literal(VERSION) }),
    layerSelector: z.strictObject({ mediaType: z.string(), operation: z.literal('copy') }),
    verify: z.strictObject({
      provider: z.literal('cosign'),
      matchOIDCIdentity: z.array(z.strictObject({ issuer: z.string(), subject: z.string() })),
    }),
  }),
});
const action = z.strictObject({
  createNamespace: z.boolean().optional(),
  remediation: z.object({ retries: z.int() }),
});
const RELEASE = z.strictObject({
  apiVersion: z.literal('helm.toolkit.fluxcd.io/v2'),
  kind: z.literal('HelmRelease'),
  metadata: name,
  spec: z.strictObject({
    interval: z.string(),
    chartRef: z.strictObject({ kind: z.literal('OCIRepository'), name: z.literal('hnotif') }),
    releaseName: z.string(),
    targetNamespace: z.string(),
    storageNamespace: z.string(),
    install: action,
    upgrade: action,
    values,
  }),
});

async function examples() {
  const { spec } = APPLICATION.parse(parse(await read('argocd/application.yaml')));
  const documents = parseAllDocuments(await read('flux/hnotif.yaml')).map((each) => each.toJS() as unknown);
  const [repository, release] = [REPOSITORY.parse(documents[0]), RELEASE.parse(documents[1])];
  return {
    repository,
    installs: [
      {
        ...{ title: 'Argo CD', release: spec.source.helm.releaseName, namespace: spec.destination.namespace },
        values: spec.source.helm.valuesObject as Values,
      },
      {
        ...{ title: 'Flux', release: release.spec.releaseName, namespace: release.spec.targetNamespace },
        values: release.spec.values as Values,
      },
    ],
  };
}

const { repository, installs } = await examples();

describe.each(installs)('the example for $title', ({ title: _, ...install }) => {
  it('installs this version, with flags that hnotif run accepts', () => {
    const objects = objectsOf(install);
    const pod = podOf(objects);
    expect(pod.spec.containers[0].image).toBe(`registry.example.com/team/hnotif:${VERSION}`);
    expect(optionsOf(pod.spec.containers[0].args)).toMatchObject({ clusterName: 'prod-eu' });
    expect(objects.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['CustomResourceDefinition', 'Deployment', 'ServiceMonitor']),
    );
    for (const { kind, metadata } of objects)
      if (kind === 'Deployment') expect(metadata).toMatchObject({ name: 'hnotif', namespace: 'hnotif' });
  });
});

it('Flux takes the chart that the workflow of the releases has signed', () => {
  const [{ issuer, subject } = { issuer: '', subject: '' }] = repository.spec.verify.matchOIDCIdentity;
  const signer = `https://github.com/hnotif/hnotif/.github/workflows/release.yml@refs/tags/v${VERSION}`;
  expect('https://token.actions.githubusercontent.com').toMatch(new RegExp(issuer));
  expect(signer).toMatch(new RegExp(subject));
  expect(signer.replace('hnotif/hnotif', 'hnotif/hnotif-not')).not.toMatch(new RegExp(subject));
});

it.skipIf(NO_KUBECTL !== '')('kustomize takes a digest instead of a tag', async () => {
  const folder = await temporary();
  const digest = `sha256:${'0'.repeat(64)}`;
  const base = relative(await realpath(folder), join(CHART_FOLDER, '../../kustomize/base'));
  const images = [{ name: 'hnotif', newName: 'registry.example.com/team/hnotif', digest }];
  const kustomization = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' };
  await writeFile(
    join(folder, 'kustomization.yaml'),
    JSON.stringify({ ...kustomization, resources: [base], images }),
  );
  const { stdout } = await promisify(execFile)('kubectl', ['kustomize', folder]);
  expect(stdout).toContain(` image: registry.example.com/team/hnotif@${digest}\n`);
});

it('Artifact Hub is told of the CRDs and the image that the chart installs', async () => {
  const { annotations } = parse(await read('helm/hnotif/Chart.yaml')) as {
    annotations: Record<string, string>;
  };
  const listed = (what: string) =>
    parse(annotations[`artifacthub.io/${what}`] ?? '') as Record<string, string>[];
  const objects = objectsOf({ values: {} });
  const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  expect(
    listed('crds')
      .map((each) => each.name)
      .sort(),
  ).toEqual(crds.map(({ metadata }) => metadata.name).sort());
  expect(listed('images').map(({ image }) => image)).toEqual([podOf(objects).spec.containers[0].image]);
  for (const { url } of listed('links'))
    expect(url).toMatch(/^https:\/\/github\.com\/hnotif\/hnotif\/blob\/main\/\S+\.md$/);
});
