import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { objectsOf, RENDITIONS } from './support/chart.ts';
import { command } from './support/command.ts';
import { NO_KUBECTL } from './support/kubectl.ts';
import { type Block, blocksBelow, fileNameOf, readPage, ROOT } from './support/page.ts';
import { kustomize } from './support/variants.ts';
import { temporary } from './support/temporary.ts';

const HEADING = '## kustomize: secrets and config maps with a hash';
const COMPONENT = join(ROOT, 'deploy/kustomize/components/name-references');
const CONFIG = '{"url": "https://audit.example.com/hooks", "enable_renderer": true}';

interface Notification {
  readonly spec: {
    readonly sinks: readonly { readonly secretRef: object; readonly templateRef: object }[];
  };
}

const files = new Map<string, string>();
beforeAll(async () => {
  const isFile = ({ kind }: Block): boolean => kind === 'kustomize';
  for (const block of blocksBelow(await readPage('docs/howto/gitops.md'), HEADING).filter(isFile))
    files.set(fileNameOf(block), block.text);
});

/** What kustomize makes of the files of the page, with one of them changed. */
async function built(
  change: (kustomization: string) => string = (text) => text,
  template = '{{ .Event }} of {{ .Plan.Name }}',
) {
  const folder = await temporary();
  const all = { ...Object.fromEntries(files), 'webhook.json': CONFIG, 'template.gotpl': template };
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'kustomization.yaml'), change(files.get('kustomization.yaml') ?? ''));
  await mkdir(join(folder, 'name-references'));
  for (const name of ['kustomization.yaml', 'name-references.yaml'])
    await writeFile(join(folder, 'name-references', name), await readFile(join(COMPONENT, name)));
  const objects = await kustomize(folder);
  const named = (kind: string) => objects.find((each) => each.kind === kind)?.metadata.name;
  const { spec } = objects.find(({ kind }) => kind === 'HibernateNotification') as unknown as Notification;
  return {
    sink: spec.sinks[0],
    names: { secretRef: { name: named('Secret') }, templateRef: { name: named('ConfigMap') } },
    checked: await command(
      ['validate', '-', '--strict'],
      objects.map((each) => stringify(each, { version: '1.1' })).join('---\n'),
    ),
  };
}

const CONFIGURATIONS = 'configurations:\n  - name-references.yaml\n';
const without = (kustomization: string): string => kustomization.replace(CONFIGURATIONS, '');

describe.skipIf(NO_KUBECTL !== '')(`kustomize${NO_KUBECTL && ` (skipped: ${NO_KUBECTL})`}`, () => {
  it.each([
    ['the file of the page', undefined],
    ['the component', (text: string) => text.replace(CONFIGURATIONS, 'components:\n  - name-references\n')],
  ])(
    'with %s, the hashes of generators reach a notification, and validate reads all of it',
    async (_, change) => {
      const { sink, names, checked } = await built(change);
      expect(names).toEqual({
        secretRef: { name: expect.stringMatching(/^nights-webhook-\w{10}$/) as string },
        templateRef: { name: expect.stringMatching(/^nights-text-\w{10}$/) as string },
      });
      expect(sink).toMatchObject(names);
      expect(checked).toMatchObject({
        exit: 0,
        out: [],
        err: ['1 notification checked: 0 errors, 0 warnings, 0 notes'],
      });
    },
  );

  it('validate finds an error in a generated template', async () => {
    const { checked } = await built(undefined, '{{ .Plan.Nmae }}');
    expect(checked.exit).toBe(1);
    expect(checked.out.join('\n')).toMatch(/error: ConfigMap payments\/nights-text-\w{10}: .*Nmae/);
  });

  it('without it, validate warns of each name that the hash has not reached', async () => {
    const { names, checked } = await built(without);
    expect(checked.out).toEqual(
      [
        ['secret nights-webhook', names.secretRef.name],
        ['config map nights-text', names.templateRef.name],
      ].map(
        ([what, name]) =>
          expect.stringMatching(
            new RegExp(`warning: .*${what} is in none of the files, but ${name} is: `),
          ) as string,
      ),
    );
  });
});

describe('docs/howto/gitops.md', () => {
  it('has the file of the component', async () => {
    const text = await readFile(join(COMPONENT, 'name-references.yaml'), 'utf8');
    expect(files.get('name-references.yaml')).toBe(`# name-references.yaml\n${text}`);
  });
});

describe('hnotif validate, of a chart', () => {
  it.each(RENDITIONS)('has nothing to say of $title, beside a notification', async (rendition) => {
    const { apiGroup: group = 'hibernation.dev' } = rendition.values as { apiGroup?: string };
    const notification = (files.get('notification.yaml') ?? '').replace('hibernation.dev', group);
    const own = [
      ...objectsOf(rendition),
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'nights-webhook' },
        stringData: { config: CONFIG },
      },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'nights-text' },
        data: { 'template.gotpl': '{{ .Event }} of {{ .Plan.Name }}' },
      },
    ];
    const text = [...own.map((each) => stringify(each, { version: '1.1' })), notification].join('---\n');
    expect(await command(['validate', '-', '--strict', `--api-group=${group}`], text)).toMatchObject({
      exit: 0,
      out: [],
    });
  });
});
