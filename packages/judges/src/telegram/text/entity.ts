/** A range of a text, in UTF-16 units. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** Kinds without further fields. */
export type PlainKind =
  | 'bold'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | 'spoiler'
  | 'code'
  | 'blockquote'
  | 'expandable_blockquote'
  | 'mention'
  | 'hashtag'
  | 'cashtag'
  | 'bot_command'
  | 'url'
  | 'email';

/** An entity in the Bot API's form (core.telegram.org/bots/api#messageentity). */
export type Mark =
  | { readonly type: PlainKind }
  | { readonly type: 'pre'; readonly language?: string }
  | { readonly type: 'text_link'; readonly url: string }
  | { readonly type: 'text_mention'; readonly user: MentionedUser }
  | { readonly type: 'custom_emoji'; readonly custom_emoji_id: string }
  | { readonly type: 'date_time'; readonly unix_time: number; readonly date_time_format: string };

export interface MentionedUser {
  readonly id: number;
  readonly is_bot: false;
  readonly first_name: '';
}

export type EntityKind = Mark['type'];
export type Entity = Mark & Span;

/** A text without its markup. */
export interface Formatted {
  readonly text: string;
  readonly entities: readonly Entity[];
}

/**
 * How a kind may be nested: a style may be split, a quote may contain everything except a quote, solid ones may contain only styles, and
 * code may contain nothing (core.telegram.org/bots/api#formatting-options).
 */
export type Nature = 'style' | 'quote' | 'solid' | 'code';

interface KindRule {
  readonly nature: Nature;
  /** Which of two entities with the same text is the outer one: the one with the lower number. */
  readonly rank: number;
}

const KINDS: Readonly<Record<EntityKind, KindRule>> = {
  blockquote: { nature: 'quote', rank: 0 },
  expandable_blockquote: { nature: 'quote', rank: 0 },
  pre: { nature: 'code', rank: 10 },
  code: { nature: 'code', rank: 20 },
  text_link: { nature: 'solid', rank: 49 },
  text_mention: { nature: 'solid', rank: 49 },
  date_time: { nature: 'solid', rank: 49 },
  mention: { nature: 'solid', rank: 50 },
  hashtag: { nature: 'solid', rank: 50 },
  cashtag: { nature: 'solid', rank: 50 },
  bot_command: { nature: 'solid', rank: 50 },
  url: { nature: 'solid', rank: 50 },
  email: { nature: 'solid', rank: 50 },
  bold: { nature: 'style', rank: 90 },
  italic: { nature: 'style', rank: 91 },
  underline: { nature: 'style', rank: 92 },
  strikethrough: { nature: 'style', rank: 93 },
  spoiler: { nature: 'style', rank: 94 },
  custom_emoji: { nature: 'solid', rank: 99 },
};

export function natureOf(entity: Entity): Nature {
  return KINDS[entity.type].nature;
}

/** Whether an entity is kept although it contains only blanks, because it has its own meaning. */
export function isHidden({ type }: Entity): boolean {
  return type === 'text_link' || type === 'text_mention' || type === 'pre' || type === 'code';
}

export function endOf({ offset, length }: Span): number {
  return offset + length;
}

/** Sorts outer before inner entities, otherwise by position. */
export function sorted(entities: readonly Entity[]): Entity[] {
  return entities.toSorted(
    (a, b) => a.offset - b.offset || b.length - a.length || KINDS[a.type].rank - KINDS[b.type].rank,
  );
}
