import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Values } from '@hnotif/helm';
import { lint } from '@hnotif/gotemplate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { systemClock } from '@hnotif/core/clock';
import {
  compile,
  templateContext,
  type Source,
  exampleSource,
  functions,
  PAYLOAD,
} from '@hnotif/core/render';
import { EVENT_KINDS, SINK_TYPES, type SinkType, parseNotification } from '@hnotif/core/resources';
import { readSink, SINKS } from '@hnotif/core/sinks';
import { sinkSettings } from '../../core/src/testing/sinks.ts';
import { Transport } from '../src/transport/client.ts';
import { renderingOf } from './support/chart.ts';
import { type Block, blocksIn, readPage, ROOT } from './support/page.ts';
import { World } from './support/world.ts';

const FOLDER = 'docs/howto';
const PAGES = (await readdir(join(ROOT, FOLDER))).filter((file) => file.endsWith('.md')).sort();

/** All blocks of code of the pages; `title` names one in the output of the tests. */
const BLOCKS = (
  await Promise.all(
    PAGES.map(async (page) =>
      blocksIn(await readPage(join(FOLDER, page))).map((block, index) => ({
        ...block,
        page,
        title: `${page}, block ${index + 1} (${[block.language, block.kind].filter(Boolean).join(' ')})`,
      })),
    ),
  )
).flat();

type PageBlock = (typeof BLOCKS)[number];
const of = (language: string, kind?: string): PageBlock[] =>
  BLOCKS.filter((block) => block.language === language && (kind === undefined || block.kind === kind));

it('each block of the pages is of a kind that a test checks', () => {
  const known = new RegExp(
    `^(yaml( values| slack| kustomize)?|json( ${SINK_TYPES.join('| ')})?|sh|gotmpl .+|)$`,
  );
  const kinds = BLOCKS.map(({ language, kind }) => [language, kind].filter(Boolean).join(' '));
  expect(kinds.filter((kind) => !known.test(kind))).toEqual([]);
});

const SETTINGS = sinkSettings({ transport: new Transport(), clock: systemClock });

/** Why a configuration would not be accepted; `''`: it would. */
function problemsOf(type: SinkType, text: string): string {
  const reading = readSink(type, text, SETTINGS);
  return (reading.ok ? reading.notes : reading.problems).join('; ');
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly stringData?: { readonly config?: string };
}

const manifestsOf = ({ text }: Block): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });

/** Where an object is created; kinds that the plane does not have are left out. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  Secret: '/api/v1/namespaces/NAMESPACE/secrets',
  ConfigMap: '/api/v1/namespaces/NAMESPACE/configmaps',
  HibernateNotification: '/apis/hibernation.dev/v1alpha1/namespaces/NAMESPACE/hibernatenotifications',
  HibernatePlan: '/apis/hibernation.dev/v1alpha1/namespaces/NAMESPACE/hibernateplans',
  RoleBinding: '/apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/rolebindings',
};
const FOREIGN = ['Kustomization'];

describe('manifests', () => {
  it('are accepted by the control plane, with their unknown fields', async () => {
    const world = await World.start();
    const namespaces = new Set(of('yaml', '').flatMap((block) => manifestsOf(block).map(namespaceOf)));
    for (const namespace of namespaces) await world.addNamespace(namespace);
    for (const block of of('yaml', ''))
      for (const manifest of manifestsOf(block)) {
        const collection = COLLECTIONS[manifest.kind]?.replace('NAMESPACE', namespaceOf(manifest));
        if (collection === undefined) expect(FOREIGN).toContain(manifest.kind);
        else await world.kube.post(`${collection}?fieldValidation=Strict&dryRun=All`, manifest);
      }
  });

  it('have configurations that a sink accepts without a warning', () => {
    const secrets = of('yaml', '').flatMap((block) =>
      manifestsOf(block).filter(({ kind }) => kind === 'Secret'),
    );
    expect(secrets).not.toEqual([]);
    for (const { metadata, stringData } of secrets) {
      const remarks = SINK_TYPES.map((type) => problemsOf(type, stringData?.config ?? ''));
      expect([metadata.name, remarks]).toEqual([metadata.name, expect.arrayContaining([''])]);
    }
  });

  it('have notifications whose sinks match their secrets', () => {
    for (const page of PAGES) {
      const all = BLOCKS.filter((block) => block.page === page && isManifest(block)).flatMap(manifestsOf);
      for (const manifest of all.filter(({ kind }) => kind === 'HibernateNotification'))
        for (const { type, secretName } of sinksOf(manifest)) {
          const secret = all.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === secretName);
          if (secret !== undefined) expect(problemsOf(type, secret.stringData?.config ?? '')).toBe('');
        }
    }
  });
});

const namespaceOf = ({ metadata }: Manifest): string => metadata.namespace ?? 'default';
const isManifest = ({ language, kind }: Block): boolean => language === 'yaml' && kind === '';

function sinksOf(manifest: Manifest): { type: SinkType; secretName: string }[] {
  expect(parseNotification(manifest)).toBeDefined();
  const { spec } = manifest as unknown as {
    spec: { sinks: { type: SinkType; secretRef: { name: string } }[] };
  };
  return spec.sinks.map(({ type, secretRef }) => ({ type, secretName: secretRef.name }));
}

it.each(of('yaml', 'values'))('$title has values of the chart', ({ text }) => {
  expect(() => renderingOf({ values: parse(text) as Values })).not.toThrow();
});

it('the manifest of the Slack app asks for the scopes that the page explains', async () => {
  const [block] = of('yaml', 'slack');
  const { oauth_config } = parse(block?.text ?? '') as { oauth_config: { scopes: { bot: string[] } } };
  const page = await readPage(join(FOLDER, 'slack-app.md'));
  expect(oauth_config.scopes.bot).toEqual(
    Array.from(page.matchAll(/^\| `([a-z:-]+)` \|/gm), ([, scope]) => scope),
  );
});

it.each(of('json'))('$title is JSON, or a configuration without a warning', ({ kind, text }) => {
  if (kind === '') expect(() => JSON.parse(text) as unknown).not.toThrow();
  else expect(problemsOf(kind as SinkType, text)).toBe('');
});

/** Events of a plan with many targets and texts that mean something to receivers. */
function sources(sinkType: SinkType): Source[] {
  return EVENT_KINDS.flatMap((kind) =>
    ['shutdown', 'wakeup'].flatMap((operation) => {
      const example = exampleSource(kind, sinkType, operation);
      return [
        example,
        ...[0, 1, 200].flatMap((count) => HOSTILE.map((text) => hostile(example, count, text))),
      ];
    }),
  );
}

const HOSTILE = [
  'plain',
  '<!channel> <b>&amp; </b> *x* _y_ ~z~ `q` |[a](b) {{ .Plan }} "\\" \\n\n\t# - + = . !',
  '\u202eright to left \u0000 \ud83d\ude00'.repeat(40),
];

function hostile({ event, ...rest }: Source, count: number, text: string): Source {
  const targets = Array.from({ length: count }, (_, index) => ({
    ...{ name: `${text}-${index}`, executor: 'rds', state: index % 2 === 0 ? 'Failed' : 'Running' },
    message: text,
  }));
  const errorMessage = event.errorMessage && text;
  const [first] = targets;
  const targetExecution = event.targetExecution && first;
  const plan = {
    ...rest.plan,
    annotations: { 'hibernation.dev/runbook-url': `https://example.com/${text}` },
  };
  return { ...rest, plan, event: { ...event, targets, errorMessage, targetExecution } };
}

const RECIPES = BLOCKS.filter(({ language }) => language === 'gotmpl');
/** Of an output in UTF-16 units, where the sink has no limit: what a log or an SMS gateway takes for sure. */
const LONGEST = 65_536;

describe('the cookbook', () => {
  it('has ten templates', () => {
    expect(RECIPES).toHaveLength(10);
  });

  it.each(RECIPES)('$title has no mistake, and makes messages that are accepted', ({ kind, text }) => {
    const [type = '', rule = ''] = kind.split(' ') as [SinkType, string?];
    expect(SINK_TYPES).toContain(type);
    expect(lint(text, PAYLOAD, { funcs: functions })).toEqual([]);
    const template = compile({ name: 'recipe', text });
    const sinkType = type as SinkType;
    for (const source of sources(sinkType)) {
      const output = template.execute(templateContext(source));
      const { problem, verdict } = SINKS[sinkType].judgeOutput(output, {
        format: rule === 'json' ? 'json' : 'text',
        parseMode: rule === 'MarkdownV2' ? 'MarkdownV2' : 'HTML',
      });
      expect([source.event.kind, problem, verdict.kind, output]).toEqual([
        ...[source.event.kind, undefined, 'accepted', output],
      ]);
      expect(output.length).toBeLessThanOrEqual(SINKS[sinkType].longestText ?? LONGEST);
    }
  });

  it.each(RECIPES.filter(({ kind }) => kind.startsWith('teamchat')))(
    '$title pings nobody by the text of a plan',
    ({ kind, text }) => {
      const template = compile({ name: 'recipe', text });
      for (const source of sources('teamchat'))
        expect(template.execute(templateContext(source)), kind).not.toContain('<!channel>');
    },
  );

  it('the line for a log stays one line', () => {
    const [block] = RECIPES.filter(({ kind }) => kind === 'webhook');
    const template = compile({ name: 'recipe', text: block?.text ?? '' });
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const source = hostile(exampleSource('Failure', 'webhook', 'shutdown'), 1, text);
        expect(template.execute(templateContext(source)).trimEnd()).not.toContain('\n');
      }),
      { seed: 18 },
    );
  });
});
