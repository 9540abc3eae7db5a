import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLog, type LogDestination, type LogOptions } from './log.ts';

const CANARY = 'canary-credential';

/** A log and all that it wrote. */
function captured(options: Pick<LogOptions, 'format' | 'level'>, isTTY = false) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  const log = createLog({ ...options, destination: stream });
  return { log, text: () => String(stream.read() ?? '') };
}

/** An error as HTTP clients make them: with the request on it. */
const carrying = (message: string, cause?: unknown) =>
  Object.assign(new TypeError(message, { cause }), {
    code: 'ECONNREFUSED',
    request: { headers: { authorization: CANARY } },
    toJSON: () => ({ secret: CANARY }),
  });

describe('the log as JSON', () => {
  it('is a line a message with time, level’s name, message and fields', () => {
    const { log, text } = captured({ format: 'json', level: 'info' });
    log.warn({ plan: 'team-a/night' }, 'look');
    const line = text();
    expect(line.endsWith('}\n')).toBe(true);
    const record = JSON.parse(line) as { time: string };
    expect(record).toEqual({ level: 'warn', time: record.time, plan: 'team-a/night', msg: 'look' });
    expect(record.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('says nothing below its level', () => {
    const { log, text } = captured({ format: 'json', level: 'warn' });
    log.info('quiet');
    expect(text()).toBe('');
  });

  it('writes of an error its type, message, code, stack and causes, and nothing else', () => {
    const { log, text } = captured({ format: 'json', level: 'info' });
    log.error({ err: carrying('outer', carrying('inner')) }, 'failed');
    log.error({ error: carrying('other') }, 'failed');
    log.error(carrying('bare'));
    log.error({ err: { authorization: CANARY } }, 'no error at all');
    const all = text();
    expect(all).not.toContain(CANARY);
    expect(JSON.parse(all.split('\n')[0] ?? '')).toMatchObject({
      err: { type: 'TypeError', message: 'outer', code: 'ECONNREFUSED', cause: { message: 'inner' } },
    });
    expect(all).toContain('"message":"bare"');
  });

  it('copes with errors that are each other’s cause', () => {
    const { log, text } = captured({ format: 'json', level: 'info' });
    const ring = new Error('ring');
    ring.cause = ring;
    log.error({ err: ring }, 'failed');
    expect(text()).toContain('ring');
  });
});

describe('the log as text', () => {
  it('is a readable line: time, level, message, fields', () => {
    const { log, text } = captured({ format: 'text', level: 'info' });
    log.warn(
      { notification: 'team-a/ops', tries: 3, detail: 'two words', at: { a: 1 } },
      'sink is not ready',
    );
    expect(text()).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} warn {2}sink is not ready {2}notification=team-a\/ops tries=3 detail="two words" at="\{\\"a\\":1\}"\n$/,
    );
  });

  it('shows an error with its stack and causes, indented, without its other properties', () => {
    const { log, text } = captured({ format: 'text', level: 'info' });
    log.error({ err: carrying('outer', new Error('inner')) }, 'failed');
    const all = text();
    expect(all).toMatch(/error failed\n {2}TypeError: outer\n {2} +at .*\n {4}Error: inner\n/s);
    expect(all).not.toContain(CANARY);
  });

  it('lets nobody forge a line or drive the terminal', () => {
    const { log, text } = captured({ format: 'text', level: 'info' });
    log.info({ detail: 'a\nb\u001b[2J' }, 'c\nd\u001b[31m');
    expect(text().slice(0, -1)).not.toMatch(/[\n\u001b]/);
  });

  it('is coloured on a terminal alone', () => {
    const terminal = captured({ format: 'text', level: 'info' }, true);
    terminal.log.info('hello');
    const pipe = captured({ format: 'text', level: 'info' });
    pipe.log.info('hello');
    expect(terminal.text().includes('\u001b[')).toBe(process.env.NO_COLOR === undefined);
    expect(pipe.text()).not.toContain('\u001b[');
  });
});

describe('a log that cannot be written', () => {
  it.each(['json', 'text'] as const)('as %s counts each line that was lost, and goes on', (format) => {
    let [full, lost] = [true, 0];
    const lines: string[] = [];
    // As Node's standard streams do: an error ends none of them.
    const destination: LogDestination = {
      write(line, done) {
        if (!full) lines.push(line);
        done(full ? new Error('ENOSPC') : null);
      },
    };
    const log = createLog({ format, level: 'info', destination, lost: () => lost++ });
    for (let i = 0; i < 3; i++) log.info('a line');
    expect(lost).toBe(3);
    full = false;
    log.info('another');
    expect([lines.length, lost]).toEqual([1, 3]);
  });
});
