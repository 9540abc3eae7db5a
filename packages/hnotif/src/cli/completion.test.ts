import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { completionScript, SHELLS, type CompletedCommand } from './completion.ts';

const COMMANDS: readonly CompletedCommand[] = [
  {
    name: 'get',
    summary: "list: what the user's team has",
    flags: [
      {
        ...{ name: '--output', short: '-o', description: 'how [it] is printed' },
        ...{ takes: 'text', words: ['json', 'yaml'] },
      },
      { name: '--namespace', short: '-n', description: 'where', takes: 'text', words: [] },
    ],
    words: ['plans', 'journals'],
    takesFiles: false,
  },
  { name: 'run', summary: 'serve', flags: [], words: [], takesFiles: false },
  {
    ...{ name: 'validate', summary: 'check', words: [], takesFiles: true },
    flags: [
      {
        ...{ name: '--output', short: '-o', description: 'how it is printed' },
        ...{ takes: 'text', words: ['text', 'sarif'] },
      },
    ],
  },
];

/** What bash completes after these words. */
async function completed(...words: readonly string[]): Promise<readonly string[]> {
  const script = `${completionScript('bash', COMMANDS)}
COMP_WORDS=(hnotif ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _hnotif; echo "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script]);
  return stdout.trim().split(' ').filter(Boolean);
}

it('bash completes commands, flags, arguments and values', async () => {
  expect(await completed('g')).toEqual(['get']);
  expect(await completed('get', '--na')).toEqual(['--namespace']);
  expect(await completed('get', 'p')).toEqual(['plans']);
  expect(await completed('get', '-o', 'j')).toEqual(['json']);
  expect(await completed('validate', '--output', '')).toEqual(['text', 'sarif']);
  expect(await completed('get', '-n', '')).toEqual([]);
  expect(await completed('run', '')).toEqual(['--help']);
});

it.each(SHELLS)('the script for %s has every command and flag', (shell) => {
  const script = completionScript(shell, COMMANDS);
  for (const word of ['get', 'run', 'output', 'namespace', 'plans', 'yaml']) expect(script).toContain(word);
  // A quote in a description would end the text.
  expect(script).not.toContain("user's");
});
