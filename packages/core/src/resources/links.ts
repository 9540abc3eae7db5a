/** The links that messages offer, by annotations of a plan or of a notification. */

/** The label and the annotation of each. They do not depend on the API group of an installation. */
const LINKS = [
  { label: 'Runbook', annotation: 'hibernation.dev/runbook-url' },
  { label: 'Dashboard', annotation: 'hibernation.dev/dashboard-url' },
] as const;

export interface Link {
  readonly label: (typeof LINKS)[number]['label'];
  /** Absolute, http or https, ASCII, without characters that end a link in some markup. */
  readonly url: string;
}

type Annotations = Readonly<Record<string, string>>;

/** The longest address (characters), with `&` as `&amp;`. Two of them must leave most of a message to the text. */
const LONGEST = 512;

/** The links of a message, from annotations of the plan or else of the notification. Invalid addresses are skipped. */
export function linksOf(plan: Annotations, notification: Annotations = {}): Link[] {
  return LINKS.flatMap(({ label, annotation }) => {
    const text = [plan, notification].map((from) => textOf(from, annotation)).find((found) => found !== '');
    const url = text === undefined ? undefined : addressOf(text);
    return url === undefined ? [] : [{ label, url }];
  });
}

/** A message for each annotation with an invalid address, without the value. */
export function linkFaults(annotations: Annotations): string[] {
  return LINKS.flatMap(({ annotation }) => {
    const text = textOf(annotations, annotation);
    return text === '' || addressOf(text) !== undefined
      ? []
      : [
          `annotation ${annotation} is not an http or https address of at most ${LONGEST} characters without user name and password`,
        ];
  });
}

const textOf = (annotations: Annotations, key: string): string =>
  Object.hasOwn(annotations, key) ? (annotations[key] ?? '').trim() : '';

/** The annotations that `linksOf` reads, cut to a length that still shows that they are too long. */
export const linkAnnotations = (annotations: Annotations): Annotations =>
  Object.fromEntries(
    LINKS.flatMap(({ annotation }) => {
      const text = textOf(annotations, annotation);
      return text === '' ? [] : [[annotation, text.slice(0, LONGEST + 1)] as const];
    }),
  );

/** A name or an address. The URL standard allows other hosts. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** The address to send; undefined: it is not valid for a link. A user name before the host could hide the real host. */
function addressOf(text: string): string | undefined {
  if (text.length > LONGEST || !/^https?:\/\//i.test(text)) return undefined;
  const url = URL.parse(text);
  if (url?.username !== '' || url.password !== '' || !HOST.test(url.hostname)) return undefined;
  const { href } = url;
  // Characters that the URL standard allows and a markup interprets: Slack's links end at `|` and `>`, MarkdownV2's at `)`.
  const written = href
    .replace(/[^!#$%&+,\-./0-9:;=?@A-Z_a-z~[\]]/g, encodeURIComponent)
    .replace(/[()'*!]/g, percent);
  return written.replaceAll('&', '&amp;').length <= LONGEST ? written : undefined;
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
