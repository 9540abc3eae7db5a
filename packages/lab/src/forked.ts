import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { IMAGE } from './image.ts';
import { within } from './wait.ts';

export interface Forked<Facts> {
  /** The first message of the process. */
  readonly facts: Facts;
  /** Its answer to a question. One at a time. */
  readonly ask: (question: object) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const ANSWER_MS = 60_000;
/** A program that has parts of the service reads their templates from the folder in which it runs. */
const DIST = join(import.meta.dirname, '../../hnotif/dist');

/**
 * Starts a TypeScript program in a separate process with Node's options of the image, so that neither loads the other. It ends with its
 * parent.
 */
export async function forked<Facts>(program: string, ...args: readonly string[]): Promise<Forked<Facts>> {
  const code = await codeOf(program);
  const child = spawn(process.execPath, [...IMAGE.flags, '--input-type=module', '-', ...args], {
    cwd: DIST,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
  });
  child.stdin?.end(code);
  const ended = once(child, 'exit');
  const answer = async (): Promise<unknown> => {
    const failed = ended.then(([exit]) => {
      throw new Error(`${program} ended with ${exit} before it answered`);
    });
    const [message] = (await Promise.race([once(child, 'message'), failed])) as [unknown];
    return message;
  };
  return {
    facts: (await answer()) as Facts,
    ask(question) {
      const answered = within(ANSWER_MS, `the answer of ${program}`, answer());
      child.send(question);
      return answered;
    },
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** For a forked program: sends its facts, answers questions, and ends with its parent. */
export function serveParent(facts: object, answer: (question: unknown) => Promise<object> | object): void {
  process.on('message', (question) => {
    void Promise.resolve(answer(question)).then((answered) => process.send?.(answered));
  });
  process.on('disconnect', () => process.exit());
  process.send?.(facts);
}

const codes = new Map<string, Promise<string>>();

/** A program in one piece, made once: each process would translate all of its modules, which takes five times as long. */
function codeOf(program: string): Promise<string> {
  const known = codes.get(program);
  if (known !== undefined) return known;
  const code = build({
    entryPoints: [program],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    // The dependencies that are CommonJS ask for Node's own modules with require().
    banner: {
      js: "import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);",
    },
  }).then(({ outputFiles: [file] }) => file?.text ?? '');
  codes.set(program, code);
  return code;
}
