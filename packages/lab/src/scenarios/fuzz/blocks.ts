/** Random JSON output of templates for teamchat. */
import fc from 'fast-check';

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
