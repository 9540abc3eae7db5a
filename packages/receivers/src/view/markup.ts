/** A well-formed piece of HTML. Texts can become HTML only by `text`, which escapes them, so content is never markup. */
export class Html {
  readonly #html: string;

  constructor(html: string, key: typeof KEY) {
    if (key !== KEY) throw new TypeError('HTML is made by text() and element()');
    this.#html = html;
  }

  toString(): string {
    return this.#html;
  }
}

const KEY = Symbol('html');

/** The content of an element: a string is a text. */
export type Content = Html | string | readonly Content[];

export type Attributes = Readonly<Record<string, string | undefined>>;

export function element(tag: Tag, attributes: Attributes, ...content: readonly Content[]): Html {
  const given = Object.entries(attributes)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const open = `<${tag}${given.join('')}>`;
  return new Html(tag === 'hr' ? open : `${open}${joined(content)}</${tag}>`, KEY);
}

/** A complete page. It may load and run nothing. */
export function documentOf(title: string, style: string, body: Html): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${policy}">
<title>${escaped(title)}</title>
<style>
${style}</style>
</head>
<body>
${body.toString()}
</body>
</html>
`;
}

export type Tag =
  | 'a'
  | 'article'
  | 'b'
  | 'blockquote'
  | 'code'
  | 'div'
  | 'em'
  | 'h3'
  | 'header'
  | 'hr'
  | 'i'
  | 'li'
  | 'main'
  | 'ol'
  | 'pre'
  | 's'
  | 'span'
  | 'time'
  | 'u'
  | 'ul';

/** A URL that is safe to follow; undefined for one that could run a script. */
export function safeAddress(url: string): string | undefined {
  return /^(?:https?|mailto|tel|tg|slack|ftp):/i.test(url) ? url : undefined;
}

function joined(content: readonly Content[]): string {
  return content.map(htmlOf).join('');
}

function htmlOf(content: Content): string {
  if (typeof content === 'string') return escaped(content);
  return content instanceof Html ? content.toString() : joined(content);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // HTML parsers would replace them: a carriage return, and the character for unreadable data.
  '\r': '&#13;',
  '\0': '\ufffd',
};

const ESCAPED = /[&<>"'\r\0]/g;

function escaped(value: string): string {
  return value.toWellFormed().replace(ESCAPED, (character) => ESCAPES[character] ?? character);
}
