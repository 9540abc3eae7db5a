import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../core/src/testing/eventually.ts';
import { NO_KUBECTL } from './support/kubectl.ts';
import { blocksIn, fileNameOf, readPage, ROOT } from './support/page.ts';
import { BUNDLE, DEV_PORTS, hnotif, type Run } from './support/process.ts';
import { missing, type Step, stepsOf } from './support/shown-output.ts';
import { temporary } from './support/temporary.ts';

/** Any port, so that it does not collide with another `hnotif dev`; and short nights. */
const DEV = [...DEV_PORTS, '--speed=10'];

/**
 * A reader of the page, in a folder that has the clone's program. All commands run as they are written, but for `npm ci`, which was run,
 * and for `npm start`, whose nights are faster and whose ports are free ones. Each line that the page shows comes.
 */
class Reader {
  readonly #folder: string;
  #first: Run | undefined;
  #kubeconfig = '';

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async start(): Promise<Reader> {
    const folder = await temporary();
    await symlink(join(ROOT, 'packages'), join(folder, 'packages'));
    return new Reader(folder);
  }

  async write(name: string, text: string): Promise<void> {
    const path = join(this.#folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  async do({ command, output }: Step): Promise<void> {
    if (command === 'npm ci') return;
    if (command.startsWith('npm start')) return this.#start(command, output);
    // An alias is for a terminal: a script gets the function below.
    if (command === 'alias hnotif="node $PWD/packages/hnotif/dist/hnotif.mjs"') return;
    await this.#until(command, output);
  }

  async #start(command: string, output: readonly string[]): Promise<void> {
    expect(command).toBe('npm start -- --examples my-nights');
    this.#first = hnotif(['dev', '--examples', join(this.#folder, 'my-nights'), ...DEV]);
    await this.seen(output);
    [, this.#kubeconfig = ''] = /KUBECONFIG=(\S+)/.exec(await this.#first.line(/KUBECONFIG=/)) ?? [];
  }

  /** Waits until the first terminal has shown these lines. */
  async seen(lines: readonly string[]): Promise<void> {
    const shown = (): readonly string[] => this.#first?.stdout ?? [];
    await eventually(() => {
      expect(missing(['…', ...lines], shown()), shown().join('\n')).toBeUndefined();
    });
  }

  /** Runs a command, again where it only asks, until its output is that of the page. */
  async #until(command: string, output: readonly string[]): Promise<void> {
    const asks = command.startsWith('hnotif ');
    const run = async (): Promise<void> => {
      const text = await this.#sh(command);
      expect(missing(output, text.split('\n')), text).toBeUndefined();
    };
    if (asks) await eventually(run);
    else await run();
  }

  #sh(command: string): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: this.#folder, KUBECONFIG: this.#kubeconfig };
    const script = `hnotif() { ${JSON.stringify(process.execPath)} ${JSON.stringify(BUNDLE)} "$@"; }\n${command}`;
    return new Promise((resolve, reject) => {
      execFile('/bin/sh', ['-ec', script], { cwd: this.#folder, env }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`${command}: ${stdout}${stderr}`));
      });
    });
  }

  async end(): Promise<void> {
    this.#first?.kill('SIGINT');
    expect(await this.#first?.exit).toBe(0);
  }
}

describe.skipIf(NO_KUBECTL !== '')(`docs/tutorial.md${NO_KUBECTL && ` (skipped: ${NO_KUBECTL})`}`, () => {
  it('goes from an empty cluster to a thread, an own template and a mistake with its explanation', async () => {
    const reader = await Reader.start();
    for (const block of blocksIn(await readPage('docs/tutorial.md'))) {
      if (block.language === 'yaml') await reader.write(fileNameOf(block), block.text);
      else if (block.language === 'text') await reader.seen(block.text.trimEnd().split('\n'));
      else {
        expect(block.language).toBe('console');
        for (const step of stepsOf(block.text)) await reader.do(step);
      }
    }
    await reader.end();
  });
});
