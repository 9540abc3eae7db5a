import type { Node } from '../parse/ast.ts';
import { type Code, Kind, Op } from './op.ts';

/** Links steps in sequence. */
export class Assembly {
  readonly #entry: Op;
  readonly #ops: Op[] = [];
  /** The step before the next one; undefined after a jump. */
  #tail: Op | undefined;
  /** Written by the next step. */
  #text = '';

  constructor(root: Node) {
    this.#entry = new Op(Kind.text, root);
    this.#follow(this.#entry);
  }

  write(text: string): void {
    this.#text += text;
  }

  add(op: Op): Op {
    op.text = this.#text;
    this.#text = '';
    this.#follow(op);
    return op;
  }

  /** Places `op`, a jump target, here. */
  label(op: Op): void {
    this.flush(op.node);
    this.#follow(op);
  }

  /** Continues at `op`. Only other jumps reach the step that is added next. */
  jump(op: Op): void {
    this.flush(op.node);
    if (this.#tail !== undefined) this.#tail.next = op;
    this.#tail = undefined;
  }

  /** Adds a step for the pending text, so that jumps to the next step do not write it. */
  flush(node: Node): void {
    if (this.#text !== '') this.add(new Op(Kind.text, node));
  }

  finish(slots: number, loops: number): Code {
    for (const op of this.#ops) {
      op.next = effective(op.next);
      op.target = effective(op.target);
    }
    return { entry: effective(this.#entry), slots, loops };
  }

  #follow(op: Op): void {
    if (this.#tail !== undefined) this.#tail.next = op;
    this.#tail = op;
    this.#ops.push(op);
  }
}

/** The first step from `op` on that does something. Links empty steps directly to it: chains can be long. */
function effective(op: Op): Op {
  let real = op;
  while (real.kind === Kind.text && real.text === '' && real.next !== real) real = real.next;
  for (let each = op; each !== real;) {
    const { next } = each;
    each.next = real;
    each = next;
  }
  return real;
}
