/** The links that messages offer, by annotations of a plan or of a notification. */

/** Label and annotation of each. They are ours, whatever the API group of an installation is. */
export const LINKS = [
  { label: 'Runbook', annotation: 'hibernation.dev/runbook-url' },
  { label: 'Dashboard', annotation: 'hibernation.dev/dashboard-url' },
] as const;

export interface Link {
  readonly label: (typeof LINKS)[number]['label'];
  /** Absolute, http or https, ASCII, without a character that ends a link in any markup. */
  readonly url: string;
}

type Annotations = Readonly<Record<string, string>>;

/** Characters of an address as chats are sent it, an `&` being `&amp;`: two of them leave the most of a message to the rest. */
const LONGEST = 512;

/** The links of a message: each annotation of the plan, or else of the notification. What is no usable address is left out. */
export function linksOf(plan: Annotations, notification: Annotations = {}): Link[] {
  return LINKS.flatMap(({ label, annotation }) => {
    const text = [plan, notification].map((from) => textOf(from, annotation)).find((found) => found !== '');
    const url = text === undefined ? undefined : addressOf(text);
    return url === undefined ? [] : [{ label, url }];
  });
}

/** The annotations of links whose value is no usable address: what is wrong, for their author. It shows no value. */
export function linkFaults(annotations: Annotations): string[] {
  return LINKS.flatMap(({ annotation }) => {
    const text = textOf(annotations, annotation);
    return text === '' || addressOf(text) !== undefined
      ? []
      : [
          `annotation ${annotation} is no http or https address of at most ${LONGEST} characters without user name and password`,
        ];
  });
}

const textOf = (annotations: Annotations, key: string): string =>
  Object.hasOwn(annotations, key) ? (annotations[key] ?? '').trim() : '';

/** Of the annotations those that `linksOf` reads, with as much of each as it takes to know what is wrong with it. */
export const linkAnnotations = (annotations: Annotations): Annotations =>
  Object.fromEntries(
    LINKS.flatMap(({ annotation }) => {
      const text = textOf(annotations, annotation);
      return text === '' ? [] : [[annotation, text.slice(0, LONGEST + 1)] as const];
    }),
  );

/** A name or an address; the URL standard takes more for a host. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/**
 * The address as it is sent; undefined: it is none that a message may link to. A user name before the host could make one host look like
 * another.
 */
function addressOf(text: string): string | undefined {
  if (text.length > LONGEST || !/^https?:\/\//i.test(text)) return undefined;
  const url = URL.parse(text);
  if (url?.username !== '' || url.password !== '' || !HOST.test(url.hostname)) return undefined;
  const { href } = url;
  // What the URL standard leaves and a markup reads: Slack's links end at `|` and `>`, MarkdownV2's at `)`.
  const written = href
    .replace(/[^!#$%&+,\-./0-9:;=?@A-Z_a-z~[\]]/g, encodeURIComponent)
    .replace(/[()'*!]/g, percent);
  return written.replaceAll('&', '&amp;').length <= LONGEST ? written : undefined;
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
