import type { Node } from '../parse/ast.ts';
import { type Code, Kind, Op } from './op.ts';

/** Steps as they are put one after the other. */
export class Assembly {
  readonly #entry: Op;
  readonly #ops: Op[] = [];
  /** What the next step follows; undefined after a jump. */
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

  /** From here on, what jumps to `op` leads here as well. */
  label(op: Op): void {
    this.flush(op.node);
    this.#follow(op);
  }

  /** Goes on at `op`; what is added next is reached by other jumps only. */
  jump(op: Op): void {
    this.flush(op.node);
    if (this.#tail !== undefined) this.#tail.next = op;
    this.#tail = undefined;
  }

  /** Has the text so far written before anything that jumps to the next step. */
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

/** Where a jump to a step really leads. What is passed by on the way will lead there at once: ways may be long. */
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
