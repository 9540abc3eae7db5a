import { textOf, type Node, type Shape, type SpanKind } from './node.ts';

/** Deeper nesting has no meaning: there are five spans, links and a quote. This limits the recursion over the tree. */
const DEEPEST = 64;

interface Frame {
  shape: Shape | undefined;
  readonly nodes: Node[];
  text: string;
}

/** Builds a normalized tree from the events of a parser. */
export class Tree {
  readonly #frames: Frame[] = [{ shape: undefined, nodes: [], text: '' }];

  /** The open elements. */
  get depth(): number {
    return this.#frames.length - 1;
  }

  /** The innermost open element. */
  get top(): Shape | undefined {
    return this.#frames.at(-1)?.shape;
  }

  /** Whether text here is code, in which markup is ignored. */
  get inCode(): boolean {
    return this.#frames.some(({ shape }) => shape?.kind === 'code' || shape?.kind === 'pre');
  }

  /** The visible text of the innermost open element so far. */
  get seen(): string {
    const { nodes, text } = this.#last;
    return textOf(nodes) + text;
  }

  text(text: string): void {
    // Telegram removes carriage returns before it counts.
    this.#last.text += text.replaceAll('\r', '');
  }

  /** False: too deep. */
  open(shape: Shape): boolean {
    this.#frames.push({ shape, nodes: [], text: '' });
    return this.depth <= DEEPEST;
  }

  /** Replaces the innermost open element. */
  reshape(shape: Shape): void {
    this.#last.shape = shape;
  }

  close(): void {
    const frame = this.#frames.pop();
    if (frame?.shape === undefined) throw new Error('nothing is open');
    const { shape } = frame;
    const nodes = finished(frame);
    if (nodes.length === 0) return;
    if (this.inCode || this.#frames.some((outer) => isSaid(shape.kind, outer.shape)))
      for (const node of nodes) this.#add(node);
    else if (shape.kind === 'code' || shape.kind === 'pre') this.#add({ ...shape, text: textOf(nodes) });
    // A link without a URL uses its text as URL.
    else if (shape.kind === 'link') this.#add({ ...shape, url: shape.url || textOf(nodes), children: nodes });
    else if (isSpan(shape)) this.#add({ kind: shape.kind, children: nodes });
    else this.#add({ ...shape, children: nodes });
  }

  /** Undoes the innermost `open`. */
  discard(): void {
    const frame = this.#frames.pop();
    for (const node of frame === undefined ? [] : finished(frame)) this.#add(node);
  }

  /** The tree so far. An element that is incomplete (a link or an emoji without a URL) becomes text. */
  closeAll(): Node[] {
    for (let { top } = this; top !== undefined; { top } = this) {
      const isNothing = (top.kind === 'link' && top.url === '') || (top.kind === 'emoji' && top.id === '');
      if (isNothing) this.discard();
      else this.close();
    }
    return this.finish();
  }

  /** The tree; all elements must be closed. */
  finish(): Node[] {
    return finished(this.#last);
  }

  get #last(): Frame {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw new Error('the tree is closed');
    return frame;
  }

  #add(node: Node): void {
    if (node.kind === 'text') this.#last.text += node.text;
    else {
      flush(this.#last);
      this.#last.nodes.push(node);
    }
  }
}

const SPANS: ReadonlySet<string> = new Set<SpanKind>(['bold', 'italic', 'underline', 'strike', 'spoiler']);

const isSpan = (shape: Shape): shape is Extract<Shape, { readonly kind: SpanKind }> => SPANS.has(shape.kind);

/** Bold within bold is bold. Telegram has no quote within a quote. */
const isSaid = (kind: Shape['kind'], outer: Shape | undefined): boolean =>
  outer?.kind === kind && (SPANS.has(kind) || kind === 'quote');

function flush(frame: Frame): void {
  if (frame.text !== '') frame.nodes.push({ kind: 'text', text: frame.text });
  frame.text = '';
}

function finished(frame: Frame): Node[] {
  flush(frame);
  return frame.nodes;
}
