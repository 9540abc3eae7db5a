/** Talks to the reference: questions and answers, a line each. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Interface, createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { CaseData } from '../conformance/case.ts';
import type { Reference } from './reference.ts';

export interface Question {
  readonly template: string;
  readonly name: string;
  readonly builtin: boolean;
  readonly missingkey?: string;
  readonly data?: CaseData;
}

/**
 * `limit`: it took too much time or memory; `panic`: Go's own code did, outside of what templates turn into errors; `data`: the
 * data is not what its kind wants; `crash`: the process ended.
 */
export type AnswerStage = 'parse' | 'exec' | 'option' | 'limit' | 'panic' | 'data' | 'crash';

export type Answer =
  | { readonly kind: 'output'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly error: string; readonly stage: AnswerStage };

interface Line {
  readonly id: number;
  /** In base64, as the error is. */
  readonly output: string | null;
  readonly error?: string;
  readonly stage?: AnswerStage;
  readonly signatures?: Readonly<Record<string, string>>;
  readonly nanoseconds?: number;
}

type Process = ChildProcessByStdio<Writable, Readable, null>;

/** One reference process; it is started again when a question ends it. Close it at the end. */
export class Oracle {
  readonly #reference: Reference;
  #process: { readonly child: Process; readonly lines: Interface } | undefined;
  readonly #waiting = new Map<number, (line: Line) => void>();
  #last = 0;

  constructor(reference: Reference) {
    this.#reference = reference;
  }

  /** Many at once; the answers are in the questions' order. */
  async ask(questions: readonly Question[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    while (answers.length < questions.length) {
      const lines = questions.slice(answers.length).map((question) => this.#send(encode(question)));
      // A question that ends the process takes the answers to those behind it with it, so they are asked again.
      for (const line of lines) {
        const answer = read(await line);
        answers.push(answer);
        if (!isEnd(answer)) continue;
        // What took too long may go on.
        this.#process?.child.kill('SIGKILL');
        await this.#ended();
        break;
      }
    }
    return answers;
  }

  /** The functions' types, by name. */
  async signatures(): Promise<ReadonlyMap<string, string>> {
    const { signatures } = await this.#send({ signatures: true });
    return new Map(Object.entries(signatures ?? {}));
  }

  /** Nanoseconds that so many executions take, each after a parse if `parse` is true. Throws when the template fails. */
  async measure(question: Question, times: number, parse = false): Promise<number> {
    const line = await this.#send({ ...encode(question), [parse ? 'parse' : 'execute']: times });
    if (line.nanoseconds === undefined) throw new Error(fromBase64(line.error));
    return line.nanoseconds;
  }

  async close(): Promise<void> {
    this.#process?.child.stdin.end();
    await this.#ended();
  }

  async #ended(): Promise<void> {
    if (this.#process !== undefined) await once(this.#process.lines, 'close');
  }

  #send(question: object): Promise<Line> {
    const { child } = (this.#process ??= this.#start());
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ id, ...question })}\n`);
    });
  }

  #start() {
    const { program, environment } = this.#reference;
    const child = spawn(program, { env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
    // A question that was on its way when the process ended is answered below.
    child.stdin.on('error', () => {});
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (text) => {
      const line = JSON.parse(text) as Line;
      this.#waiting.get(line.id)?.(line);
      this.#waiting.delete(line.id);
    });
    lines.on('close', () => {
      this.#process = undefined;
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      for (const [id, answer] of waiting) answer({ id, output: null, stage: 'crash' });
    });
    return { child, lines };
  }
}

const isEnd = (answer: Answer): boolean =>
  answer.kind === 'error' && (answer.stage === 'crash' || answer.stage === 'limit');

const encode = ({ template, name, builtin, missingkey, data }: Question): object => ({
  template,
  name,
  ...(builtin && { funcs: 'builtin' }),
  missingkey,
  data,
});

function read({ output, error, stage }: Line): Answer {
  if (stage !== undefined) return { kind: 'error', error: fromBase64(error), stage };
  return { kind: 'output', bytes: Buffer.from(output ?? '', 'base64') };
}

const fromBase64 = (text = ''): string => Buffer.from(text, 'base64').toString();
