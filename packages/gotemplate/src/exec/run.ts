/** The loop that executes definitions. Calls push a {@link Frame}, so recursive templates do not use the host's stack. */
import { quote } from '../strconv/quote.ts';
import type { Value } from '../value/value.ts';
import type { Definition } from './program.ts';
import { unwrap } from './expression.ts';
import { failure, foreign } from './failure.ts';
import { type Execution, Frame, payForFrame } from './frame.ts';
import type { Loop } from './loop.ts';
import { begin } from './range.ts';
import { Kind, type Op } from './op.ts';
import { reached, store } from './scope.ts';
import { CHUNK, Output } from './output.ts';
import { isTrue } from './truth.ts';
import { shown } from './write.ts';

/** Units of work between two checks of the budget. */
const STRIDE = 256;

/** Executes a definition. Throws only a TemplateError or a HostError. */
export function run(execution: Execution, definition: Definition, dot: Value): string {
  const { budget } = execution.context;
  let frame = new Frame(execution, definition, dot);
  let op = definition.code.entry;
  const written = new Output();
  let output = '';
  let work = 0;
  try {
    payForFrame(execution.context, definition);
    for (;;) {
      work += op.cost;
      if (work > STRIDE) {
        budget.spend(work);
        budget.written(written.length + output.length);
        work = 0;
        if (output.length > CHUNK) {
          written.take(output);
          output = '';
        }
      }
      if (op.text !== '') output += op.text;
      switch (op.kind) {
        case Kind.text:
          op = op.next;
          break;
        case Kind.write: {
          const value = op.eval(frame);
          const text = typeof value === 'string' ? value : shown(frame, op.node, value);
          if (text.length > CHUNK) budget.written(written.length + output.length + text.length);
          output += text;
          op = op.next;
          break;
        }
        case Kind.evaluate:
          op.eval(frame);
          op = op.next;
          break;
        case Kind.test: {
          const value = op.eval(frame);
          op = value === true || (value !== false && isTrue(value)) ? op.next : op.target;
          break;
        }
        case Kind.with: {
          const value = op.eval(frame);
          if (isTrue(value)) {
            frame.vars[op.slot] = frame.dot;
            frame.dot = value;
            op = op.next;
          } else op = op.target;
          break;
        }
        case Kind.keep:
          frame.vars[op.slot] = frame.dot;
          op = op.next;
          break;
        case Kind.endWith:
          frame.dot = frame.vars[op.slot];
          op = op.next;
          break;
        case Kind.range: {
          const loop = begin(frame, unwrap(op.eval(frame)), op.index !== undefined, op.last);
          if (loop === undefined) op = op.target;
          else {
            frame.loops[op.slot] = loop;
            advance(frame, loop, op);
            op = op.next;
          }
          break;
        }
        case Kind.again: {
          const loop = frame.loops[op.slot]!;
          if (loop.taken < loop.length) {
            advance(frame, loop, op);
            op = op.target;
          } else {
            frame.dot = loop.outer;
            op = op.next;
          }
          break;
        }
        case Kind.leave:
          frame.dot = frame.loops[op.slot]!.outer;
          op = op.next;
          break;
        case Kind.call: {
          frame = enter(frame, op);
          op = frame.definition.code.entry;
          break;
        }
        case Kind.end: {
          const { caller, resume } = frame;
          if (caller === undefined || resume === undefined) {
            budget.spend(work);
            budget.written(written.length + output.length);
            return written.all(output);
          }
          frame = caller;
          op = resume;
          break;
        }
      }
    }
  } catch (error) {
    throw foreign(frame, op.node, error);
  }
}

/** Assigns the next element to dot and to the loop's variables. */
function advance(frame: Frame, loop: Loop, { index, element }: Op): void {
  frame.dot = loop.take();
  if (index !== undefined) store(frame, reached(frame, index) ?? index, loop.key(), loop.keySeen);
  if (element !== undefined) store(frame, reached(frame, element) ?? element, frame.dot, loop.elementSeen);
}

function enter(frame: Frame, op: Op): Frame {
  const { execution } = frame;
  if (op.callee === undefined)
    throw failure(
      frame,
      op.node,
      `template ${quote(op.node.kind === 'template' ? op.node.name : '')} not defined`,
    );
  if (frame.depth >= execution.depth)
    throw failure(frame, op.node, `exceeded maximum template depth (${execution.depth})`, { limit: 'depth' });
  payForFrame(execution.context, op.callee);
  return new Frame(execution, op.callee, unwrap(op.eval(frame)), frame, op.next);
}
