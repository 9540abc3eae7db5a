import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { inAscii, requiredBuiltins, slim } from './slim.ts';

it('code in ASCII means the same', () => {
  const code = String.raw`[/^[…é😀]{3}$/u.test(text), /^\\é$/.test('\\' + 'é'), /^\—\\\é$/.source] // ’`;
  expect(inAscii(code)).toMatch(/^[\0-\x7f]*$/);
  // oxlint-disable-next-line typescript/no-implied-eval -- it is code that is compared
  const run = new Function('text', `return ${inAscii(code)}`) as (text: string) => unknown;
  expect(run('é…😀')).toEqual([true, true, String.raw`^\u2014\\\u00e9$`]);
});

const bundled = async (contents: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    plugins: [slim, requiredBuiltins],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
};

it('a bundle requires a module of Node, and reads only the exports that it imports', async () => {
  const code = await bundled("import all, { spawn } from 'node:child_process'; spawn(all);");
  expect(code).toContain('require("node:child_process")');
  expect(code.match(/own\.\w+/g)).toEqual(['own.spawn']);
  expect(code).not.toMatch(/^import\b/m);
});

it('of undici there is what the service uses; what is not there fails the build', async () => {
  expect(await bundled("import { Client } from 'undici'; new Client('http://a');")).not.toMatch(
    /class WebSocket|node:http2/,
  );
  await expect(bundled("import { fetch } from 'undici'; fetch('http://a');")).rejects.toThrow(/fetch/);
});
