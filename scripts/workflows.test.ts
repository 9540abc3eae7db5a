import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import workspace from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const folder = join(root, '.github/workflows');
const names = (await readdir(folder)).sort();

/** What our workflows use of GitHub's syntax. A word that is not here is a mistake, or needs a line here. */
const access = z.enum(['read', 'write']);
const PERMISSIONS = z.strictObject({
  contents: access.optional(),
  packages: z.literal('write').optional(),
  pages: z.literal('write').optional(),
  'id-token': z.literal('write').optional(),
});
const texts = z.record(z.string(), z.string());
const STEP = z.strictObject({
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.boolean(), z.number()])).optional(),
  run: z.string().optional(),
  env: texts.optional(),
});
type Step = z.infer<typeof STEP>;
const JOB = z.strictObject({
  name: z.string().optional(),
  needs: z.union([z.string(), z.array(z.string())]).optional(),
  'runs-on': z.string(),
  'timeout-minutes': z.int().max(120),
  permissions: PERMISSIONS.optional(),
  strategy: z
    .strictObject({ 'fail-fast': z.literal(false), matrix: z.record(z.string(), z.array(z.string())) })
    .optional(),
  container: z.strictObject({ image: z.string() }).optional(),
  environment: z.strictObject({ name: z.string(), url: z.string() }).optional(),
  env: texts.optional(),
  outputs: texts.optional(),
  steps: z.array(STEP).min(1),
});
const CALL = z.strictObject({ uses: z.string().startsWith('./.github/workflows/') });
const WORKFLOW = z.strictObject({
  name: z.string(),
  on: z.strictObject({
    push: z
      .strictObject({ branches: z.array(z.string()), tags: z.array(z.string()) })
      .partial()
      .optional(),
    pull_request: z.null().optional(),
    schedule: z.array(z.strictObject({ cron: z.string().regex(/^\d+ \d+ \* \* \*$/) })).optional(),
    workflow_call: z.null().optional(),
    workflow_dispatch: z.null().optional(),
  }),
  // A job that needs more says so itself.
  permissions: z.strictObject({ contents: z.literal('read') }),
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.string().optional() }),
  jobs: z.record(z.string(), z.union([CALL, JOB])),
});

const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
const parsed = async (name: string) => WORKFLOW.parse(parse(await read(name)));
const stepsOf = async (name: string): Promise<readonly Step[]> =>
  Object.values((await parsed(name)).jobs).flatMap((job) => ('steps' in job ? job.steps : []));

/** Why a step cannot be run on any machine; undefined: it can. */
async function faultOf(run: string): Promise<string | undefined> {
  if (run === 'npm ci') return undefined;
  const [, script = ''] = /^npm run (\S+)(?: -- [\w -]+)?$/.exec(run) ?? [];
  if (script in workspace.scripts) return undefined;
  const [, file = ''] = /^(\.ci\/[\w-]+)$/.exec(run) ?? [];
  if (file === '' || !existsSync(join(root, file))) return `${run}: give npm ci, npm run SCRIPT or .ci/FILE`;
  // Windows has no such bit.
  const isExecutable = process.platform === 'win32' || ((await stat(join(root, file))).mode & 0o111) !== 0;
  return !isExecutable ? `${file} is not executable` : undefined;
}

describe.each(names)('the workflow %s', (name) => {
  it('is valid, and its jobs need jobs that exist', async () => {
    const { jobs } = await parsed(name);
    for (const job of Object.values(jobs)) {
      if ('uses' in job) expect(existsSync(join(root, job.uses))).toBe(true);
      else for (const need of [job.needs ?? []].flat()) expect(jobs).toHaveProperty(need);
    }
  });

  it('runs scripts of the repository, without expressions in them', async () => {
    const steps = await stepsOf(name);
    for (const { run, uses } of steps)
      expect([run, uses].filter((each) => each !== undefined)).toHaveLength(1);
    const faults = await Promise.all(steps.flatMap(({ run }) => (run === undefined ? [] : [faultOf(run)])));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });

  it('pins each action by its digest, and leaves no credential in the checkout', async () => {
    const text = await read(name);
    const pins = text.match(/(?<=uses: )(?!\.\/).*/g) ?? [];
    expect(pins).not.toHaveLength(0);
    for (const pin of pins) expect(pin).toMatch(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    for (const { uses = '', with: given } of await stepsOf(name))
      if (uses.startsWith('actions/checkout@')) expect(given).toMatchObject({ 'persist-credentials': false });
  });

  it('stores no secret, and names no registry', async () => {
    const text = await read(name);
    expect(text).not.toMatch(/\bsecrets\b/);
    expect(text).not.toMatch(/\b(ghcr|docker|quay|gcr|npmjs|pkg)\.(io|com|org|dev)\b/);
  });
});

it('the same action has the same digest everywhere', async () => {
  const pins = (await Promise.all(names.map(read))).flatMap((text) => text.match(/(?<=uses: )\w.*/g) ?? []);
  const actions = [...new Set(pins)].map((pin) => pin.split('@')[0]);
  expect(new Set(actions).size).toBe(actions.length);
});

it('CI proves each version of Node that the packages say', async () => {
  const { jobs } = await parsed('ci.yml');
  const check = JOB.parse(jobs.check);
  const [, ...versions] = /^\^(\d+)\.\d+\.\d+ \|\| >=(\d+)\.\d+\.\d+$/.exec(workspace.engines.node) ?? [];
  expect(check.strategy?.matrix.node).toEqual(expect.arrayContaining(versions));
  expect(check.strategy?.matrix.node).toContain('latest');
  const [, image = ''] =
    /NODE_IMAGE=.*\/node:(\d+)\./.exec(await readFile(join(root, 'Dockerfile'), 'utf8')) ?? [];
  expect((await readFile(join(root, '.nvmrc'), 'utf8')).trim()).toBe(image);
});

it('a step that is not a script of the repository is found', async () => {
  for (const run of [
    'curl example.com | sh',
    'npm run nothing',
    '.ci/nothing',
    '.ci/kubectl',
    'npm run lint && ls',
  ])
    expect(await faultOf(run)).toBeTypeOf('string');
});
