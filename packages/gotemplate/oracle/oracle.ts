/** The protocol with the reference: one line for each question and each answer. */
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
 * `limit`: too much time or memory; `panic`: Go's code panicked, and templates do not turn that into an error; `data`: the
 * data does not fit its kind; `crash`: the process ended.
 */
export type AnswerStage = 'parse' | 'exec' | 'option' | 'limit' | 'panic' | 'data' | 'crash';

export type Answer =
  | { readonly kind: 'output'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly error: string; readonly stage: AnswerStage };

interface Line {
  readonly id: number;
  /** In base64, like the error. */
  readonly output: string | null;
  readonly error?: string;
  readonly stage?: AnswerStage;
  readonly signatures?: Readonly<Record<string, string>>;
  readonly nanoseconds?: number;
}

type Process = ChildProcessByStdio<Writable, Readable, null>;

/** One reference process. It is restarted if a question ends it. Call `close` at the end. */
export class Oracle {
  readonly #reference: Reference;
  #process: { readonly child: Process; readonly lines: Interface } | undefined;
  readonly #waiting = new Map<number, (line: Line) => void>();
  #last = 0;

  constructor(reference: Reference) {
    this.#reference = reference;
  }

  /** Asks many questions at once. The answers have the same order. */
  async ask(questions: readonly Question[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    while (answers.length < questions.length) {
      const lines = questions.slice(answers.length).map((question) => this.#send(encode(question)));
      // If a question ends the process, the later answers are lost, so those questions are asked again.
      for (const line of lines) {
        const answer = read(await line);
        answers.push(answer);
        if (!isEnd(answer)) continue;
        // After a timeout the process may still run.
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

  /** The nanoseconds of `times` executions, each after a parse if `parse` is true. Throws if the template fails. */
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
    // If the process ends while a question is sent, the answer comes from the handler of `close` below.
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
