/** A config map with the template, as YAML. */
export const configMap = (name: string, key: string, template: string): string =>
  [
    '# Put it beside the notification, and name it at the sink:',
    `#   templateRef: { name: ${name} }`,
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata:',
    `  name: ${name}`,
    'data:',
    `  ${key}: ${scalar(template, '    ')}`,
    '',
  ].join('\n');

/** What a block of YAML 1.2 can hold as it is: no control characters, no break but the line feed, no half of a pair. */
const PLAIN = /^[\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** A text as a block, whose lines stand as they are; in quotes where a block cannot hold it. */
function scalar(text: string, indent: string): string {
  const isBlank = text.trim() === '';
  if (isBlank || !PLAIN.test(text)) return quoted(text);
  // The last line break is part of a block; other numbers of them need a word.
  const end = !text.endsWith('\n') ? '-' : text.endsWith('\n\n') ? '+' : '';
  const lines = (end === '' || end === '+' ? text.slice(0, -1) : text).split('\n');
  // Where the first line begins with a blank or is empty, a reader could not see how far the block is indented.
  const width = /^[\s]/.test(text) ? String(indent.length - 2) : '';
  return [`|${width}${end}`, ...lines.map((line) => (line === '' ? '' : indent + line))].join('\n');
}

/** JSON is YAML; what JSON leaves as it is and YAML does not permit is escaped, too. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
