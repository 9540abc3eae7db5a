import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { COMMANDS } from '../packages/hnotif/src/cli/commands.ts';
import { readSource } from './versions.ts';

/** What our issue forms use of GitHub's syntax. */
const LABELLED = z.strictObject({
  label: z.string(),
  description: z.string().optional(),
  placeholder: z.string().optional(),
  render: z.enum(['text', 'json']).optional(),
  options: z.array(z.string()).min(2).optional(),
});
const FORM = z.strictObject({
  name: z.string(),
  description: z.string().max(200),
  labels: z.array(z.string()),
  body: z.array(
    z.union([
      z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: z.string() }) }),
      z.strictObject({
        type: z.enum(['textarea', 'input', 'dropdown']),
        id: z.string().regex(/^[a-z]+$/),
        attributes: LABELLED,
        validations: z.strictObject({ required: z.boolean() }).optional(),
      }),
    ]),
  ),
});

describe.each(['bug', 'idea'])('the issue form %s', (name) => {
  it('is valid, and asks for the output of commands that exist', async () => {
    const text = await readSource(`.github/ISSUE_TEMPLATE/${name}.yml`);
    const { body } = FORM.parse(parse(text));
    const ids = body.flatMap((field) => ('id' in field ? [field.id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    const commands = [...text.matchAll(/`hnotif (\w+)/g)].map(([, command]) => command);
    expect(commands).toEqual(expect.arrayContaining(['doctor', 'why']));
    const known = COMMANDS.map((command) => command.name);
    expect(commands.filter((command = '') => !known.includes(command))).toEqual([]);
  });
});

const UPDATE = z.strictObject({
  'package-ecosystem': z.enum(['npm', 'github-actions', 'docker']),
  directory: z.string().optional(),
  directories: z.array(z.string()).optional(),
  schedule: z.strictObject({ interval: z.literal('weekly') }),
  cooldown: z.strictObject({
    'default-days': z.int().min(7),
    'semver-major-days': z.int().min(7).optional(),
  }),
  groups: z.record(
    z.string(),
    z.strictObject({ patterns: z.array(z.string()), 'update-types': z.array(z.string()).optional() }),
  ),
  ignore: z
    .array(z.strictObject({ 'dependency-name': z.string(), 'update-types': z.array(z.string()) }))
    .optional(),
});

it('the dependency bot knows each folder with dependencies, and waits before it proposes', async () => {
  const { updates } = z
    .strictObject({ version: z.literal(2), updates: z.array(UPDATE) })
    .parse(parse(await readSource('.github/dependabot.yml')));
  const fileOf = { npm: 'package-lock.json', docker: 'Dockerfile', 'github-actions': '.github/workflows' };
  for (const { directory, directories = [], ...update } of updates)
    for (const folder of directory === undefined ? directories : [directory]) {
      const path = join(import.meta.dirname, '..', folder, fileOf[update['package-ecosystem']]);
      expect([path, existsSync(path)]).toEqual([path, true]);
    }
  expect(updates).toHaveLength(3);
});

it('the container for developers has the Node of .nvmrc', async () => {
  const wanted = (await readSource('.nvmrc')).trim();
  expect(await readSource('.devcontainer/Dockerfile')).toContain(`FROM node:${wanted}\n`);
  expect(JSON.parse(await readSource('.devcontainer/devcontainer.json'))).toMatchObject({
    build: { dockerfile: 'Dockerfile' },
    postCreateCommand: 'npm ci',
  });
});
