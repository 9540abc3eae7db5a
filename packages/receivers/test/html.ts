/** An element with its content, as a strict parser finds it. */
export interface HtmlElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (HtmlElement | string)[];
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#13;': '\r',
};

const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/y;

/**
 * Parses HTML more strictly than a browser: every element closed in order, all attributes in double quotes, no bare `<`, `>` or `&`, no
 * comments. Throws an Error for all others, so nothing can be hidden.
 */
export function readHtml(html: string): HtmlElement {
  const root: HtmlElement = { tag: '', attributes: {}, children: [] };
  const open = [root];
  let at = 0;
  while (at < html.length) {
    const here = open.at(-1) ?? root;
    if (html[at] !== '<') {
      const next = html.indexOf('<', at);
      const end = next < 0 ? html.length : next;
      here.children.push(plain(html.slice(at, end)));
      at = end;
      continue;
    }
    TAG.lastIndex = at;
    const [whole, slash, tag = '', attributes = ''] = TAG.exec(html) ?? [];
    if (whole === undefined) throw new Error(`no tag at ${html.slice(at, at + 60)}`);
    at += whole.length;
    if (slash === '/') {
      if (here.tag !== tag) throw new Error(`</${tag}> where <${here.tag}> is open`);
      open.pop();
      continue;
    }
    const element: HtmlElement = { tag, attributes: readAttributes(attributes), children: [] };
    here.children.push(element);
    if (tag !== 'hr') open.push(element);
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)?.tag ?? ''}> is not closed`);
  return root;
}

function readAttributes(source: string): Record<string, string> {
  const found = source.matchAll(/ ([a-z-]+)="([^"]*)"/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, plain(value)]));
}

function plain(source: string): string {
  if (/[<>"']/.test(source)) throw new Error(`a mark is not escaped in ${source}`);
  return source.replace(/&[^;]*;?/g, (reference) => {
    const character = REFERENCES[reference];
    if (character === undefined) throw new Error(`no reference: ${reference}`);
    return character;
  });
}

/** All text in an element. */
export function textOf(element: HtmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}

/** The element and its descendants. */
export function elementsOf(element: HtmlElement): HtmlElement[] {
  return [
    element,
    ...element.children.flatMap((child) => (typeof child === 'string' ? [] : elementsOf(child))),
  ];
}

/** The texts of the elements with a tag. */
export function textsOf(html: string, tag: string): string[] {
  return elementsOf(readHtml(html))
    .filter((element) => element.tag === tag)
    .map(textOf);
}
