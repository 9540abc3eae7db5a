/** The links of Markdown pages: what they name in the repository, and which of them are dead. */
import { posix } from 'node:path';

/** Gives the text of a page by its path in the repository, `''` for another file or a folder, undefined if there is none. */
export type Read = (path: string) => string | undefined;

/** The anchor of a heading, as GitHub makes it. The site makes the same ones, so a link works in both places. */
export const slug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

/** Describes each dead link of these pages: a path without a file, or an anchor without a heading. */
export function deadLinks(pages: readonly string[], read: Read): string[] {
  return pages.flatMap((page) =>
    linksOf(read(page) ?? '').flatMap(({ href, line }) => {
      const { path, anchor } = targetOf(page, href);
      const text = read(path);
      const at = `${page}:${line}: ${href}`;
      if (text === undefined) return [`${at}: ${path} does not exist`];
      if (anchor === '' || !path.endsWith('.md') || anchorsOf(text).has(anchor)) return [];
      return [`${at}: ${path} has no heading with this anchor`];
    }),
  );
}

/** The path in the repository that a relative link names, and its anchor. */
export function targetOf(page: string, href: string): { readonly path: string; readonly anchor: string } {
  const [path = '', anchor = ''] = decodeURI(href).split('#');
  const target = path === '' ? page : posix.join(posix.dirname(page), path);
  return { path: target.replace(/(?<=.)\/$/, ''), anchor };
}

/** Whether a link leads away from the repository, such as `https://example.com` or `mailto:a@example.com`. */
const isExternal = (href: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(href);

interface Link {
  readonly href: string;
  readonly line: number;
}

/** The relative links of a page, and the files of its pictures. */
function linksOf(text: string): Link[] {
  return prose(text).flatMap((content, index) =>
    [...content.matchAll(/\]\(<?([^)>\s]+)|^\[[^\]]+\]: +(\S+)|\b(?:href|src|srcset)="([^"\s]+)/g)]
      .map(([, inline, reference, html]) => inline ?? reference ?? html ?? '')
      .filter((href) => !isExternal(href))
      .map((href) => ({ href, line: index + 1 })),
  );
}

/** The anchors of a page. A heading that appears again has a number. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const line of withoutBlocks(text)) {
    const heading = /^#{1,6} +(.+)$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const name = slug(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    let anchor = name;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${name}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The lines of a page without its code. */
const prose = (text: string): string[] => withoutBlocks(text).map((line) => line.replace(/(`+).+?\1/g, ''));

/** The lines of a page; those of code blocks are empty. */
function withoutBlocks(text: string): string[] {
  let fence: string | undefined;
  return text.split('\n').map((line) => {
    const mark = /^ *(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
      return '';
    }
    fence = mark;
    return mark === undefined ? line : '';
  });
}
