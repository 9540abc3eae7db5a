/** Random JSON output of templates for teamchat: the judge, the simulator and the sink agree. */
import { faultInWords } from '@hnotif/judges';
import { explanationsOf, isFields, judgeMessage, readMessage, type Fields } from '@hnotif/judges/slack';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { parseBlocks } from '../../../../core/src/sinks/teamchat/blocks.ts';
import { posted, teamchat } from '../../../../receivers/src/testing/without-http.ts';

const text = fc.oneof(
  { weight: 90, arbitrary: fc.constantFrom('x', 'a *word*', '<!channel>', '🌙', 'x'.repeat(75)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(150, 151, 255, 256, 2_001, 3_001, 12_001).map((times) => 'x'.repeat(times)),
  },
  { weight: 1, arbitrary: fc.constantFrom('', '\ud83d') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);
const deep = fc
  .constantFrom(10, 500, 600)
  .map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown);
const anything = fc.oneof(
  text,
  fc.constantFrom(null, true, 0, 1.5, [], {}),
  fc.jsonValue({ maxDepth: 3 }),
  deep,
);
/** A correct value; now and then any value. */
const mostly = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 100, arbitrary }, { weight: 1, arbitrary: anything });
/** Required fields, and some optional ones. */
const object = (
  must: Record<string, fc.Arbitrary<unknown>>,
  may: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<unknown> => mostly(fc.record({ ...must, ...may }, { requiredKeys: Object.keys(must) }));
const typed = (type: string, must: Record<string, fc.Arbitrary<unknown>> = {}, may = {}) =>
  object({ type: mostly(fc.constant(type)), ...must }, may);

const plain = typed('plain_text', { text }, { emoji: fc.boolean() });
const either = fc.oneof(plain, typed('mrkdwn', { text }, { verbatim: fc.boolean() }));
const image = typed('image', { image_url: fc.constant('https://e.test/x.png'), alt_text: text });
const button = typed(
  'button',
  { text: plain },
  { url: fc.constant('https://e.test/'), value: mostly(fc.constantFrom('v', 'x'.repeat(2_001))) },
);
const mrkdwn = typed('mrkdwn', { text });
const cell = fc.oneof(typed('raw_text', { text }), typed('raw_number', { text, value: mostly(fc.double()) }));
const few = (arbitrary: fc.Arbitrary<unknown>, most: number): fc.Arbitrary<unknown> =>
  mostly(
    fc.oneof(
      { weight: 30, arbitrary: fc.array(arbitrary, { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: fc.array(arbitrary, { maxLength: most + 1 }) },
    ),
  );
const rich = few(typed('rich_text_section', { elements: few(typed('text', { text }), 5) }), 5);
const id = { block_id: fc.oneof({ weight: 9, arbitrary: fc.uuid() }, { weight: 1, arbitrary: text }) };
const block = fc.oneof(
  typed('section', { text: either }, { ...id, accessory: fc.oneof(image, button) }),
  typed('section', { fields: few(either, 10) }, id),
  typed('header', { text: plain }, id),
  typed('context', { elements: few(fc.oneof(either, image), 10) }, id),
  typed('divider', {}, id),
  typed('image', { image_url: fc.constant('https://e.test/x.png'), alt_text: text }, { title: plain }),
  typed('actions', { elements: few(button, 25) }, id),
  typed('markdown', { text }, id),
  typed('rich_text', { elements: rich }, id),
  typed('table', { rows: few(few(cell, 20), 100) }, id),
  typed('card', {}, { title: mrkdwn, body: mrkdwn, hero_image: image, actions: few(button, 10), ...id }),
  typed('task_card', { task_id: text, title: text, status: mostly(fc.constantFrom('pending', 'error')) }, id),
  typed('container', { title: plain, child_blocks: few(typed('section', { text: either }), 10) }, id),
  typed('input', { label: plain, element: typed('plain_text_input', {}, { max_length: anything }) }, id),
  typed('hologram', { text: anything }, id),
  mostly(fc.constant({ type: 'divider' })),
);
const blocks = few(block, 50);
const payload = object(
  { blocks },
  {
    text,
    attachments: few(object({ text }, { blocks, color: text }), 100),
    mrkdwn: mostly(fc.boolean()),
    username: text,
    icon_emoji: mostly(fc.constant(':x:')),
    parse: mostly(fc.constantFrom('none', 'full')),
    unfurl_links: mostly(fc.boolean()),
    channel: fc.constant('C0OTHER'),
    thread_ts: fc.constant('1.1'),
  },
);

/** An output of a template of format json. */
export const outputs: fc.Arbitrary<string> = fc
  .tuple(fc.oneof(payload, payload, fc.array(block, { minLength: 1, maxLength: 3 })), fc.nat({ max: 400 }))
  .map(([value, cut]) => {
    const json = JSON.stringify(value);
    // Some outputs are cut, or have additional text at the end.
    if (cut < 10) return json.slice(0, cut * 7);
    return cut < 15 ? `${json}}` : json;
  });

/** What the simulated chat.postMessage says about a message, without HTTP: nothing, or its error and the details. */
function refusalBySimulator(message: Fields): readonly string[] {
  const body = JSON.stringify({ ...message, channel: 'C1' });
  const { findings } = teamchat().handle(
    posted('/api/chat.postMessage', body, { authorization: 'Bearer t' }),
  );
  return findings.error === undefined ? [] : [findings.error, ...findings.errors];
}

/** Where the judge, the simulator and the sink disagree about an output, or what it may not say. */
export function readingFaults(output: string): string[] {
  const reading = parseBlocks(output, 'instead');
  const given = payloadOf(output);
  if (given === undefined) return reading.ok ? ['no message was accepted'] : [];
  const { channel: _channel, thread_ts: _thread, ...message } = given;
  const { faults } = readMessage(message);
  const [first] = faults;
  const refusal = refusalBySimulator(message);
  // Slack tells the error alone for a fault of the whole.
  const details = explanationsOf(faults).filter((each) => each !== first?.error);
  const disagreements: string[] = [];
  if (!isDeepStrictEqual(refusal, first === undefined ? [] : [first.error, ...details]))
    disagreements.push(`the simulator says ${refusal.join('; ')}`);
  if (reading.ok) {
    const sent = JSON.parse(JSON.stringify(reading.message)) as Fields;
    if (first !== undefined) disagreements.push('the sink sends what the judge refuses');
    if (judgeMessage(sent).kind === 'refused' || refusalBySimulator(sent).length > 0)
      disagreements.push('what is sent is refused');
    if ('channel' in sent || 'thread_ts' in sent) disagreements.push('a template chooses the channel');
  } else if (
    first === undefined
      ? !/has no blocks|is one block|of Microsoft Teams/.test(reading.problem)
      : !reading.problem.startsWith(faultInWords(first))
  )
    disagreements.push(`the sink says ${reading.problem}`);
  return disagreements;
}

/** The message of an output; undefined if it is none. */
function payloadOf(output: string): Fields | undefined {
  try {
    const json: unknown = JSON.parse(output);
    return Array.isArray(json) ? { blocks: json } : isFields(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the output is accepted as blocks. */
export const isAccepted = (output: string): boolean => parseBlocks(output, 'instead').ok;
