import type { TeamchatRecord } from '@hnotif/receivers';

/** What tells the requests of one method from each other. `type`: of the metadata; `''`: there are none. */
interface Facts {
  readonly text: string;
  readonly type: string;
}

/** The requests of a board's night, in their order: the method, and which of its requests. */
const REQUESTS = {
  search: ['conversations.history', () => true],
  post: ['chat.postMessage', ({ type }) => type === 'hnotif_root'],
  update: ['chat.update', ({ text }) => text.includes(' in Progress')],
  reply: ['chat.postMessage', ({ type }) => type === 'hnotif_event'],
  'last update': ['chat.update', ({ text }) => / in Progress.* 5 of 6 asleep · 1 failed/s.test(text)],
  close: ['chat.update', ({ text }) => !text.includes(' in Progress')],
  end: ['chat.postMessage', ({ type }) => type === ''],
} satisfies Readonly<Record<string, readonly [call: string, is: (facts: Facts) => boolean]>>;

export type RequestName = keyof typeof REQUESTS;

/** Selects such a request. */
export function matchOf(name: RequestName): {
  readonly call: string;
  readonly json: (body: unknown) => boolean;
} {
  const [call, is] = REQUESTS[name];
  return {
    call,
    json: (body) => {
      const { text, metadata } = body as {
        readonly text?: string;
        readonly metadata?: { event_type: string };
      };
      return is({ text: text ?? '', type: metadata?.event_type ?? '' });
    },
  };
}

/** Whether the chat has taken this request. */
export const isTaken = (name: RequestName, { call, params, answered }: TeamchatRecord): boolean =>
  answered.status === 200 && call === matchOf(name).call && matchOf(name).json(params);

/** A moment at which hnotif is killed. */
export type Moment =
  /** A request has come to the chat. `taken`: it has its effect. hnotif sees no answer. */
  | { readonly request: RequestName; readonly taken: boolean }
  /** The first write of a journal after the answer to a request, or of all. `taken`: it has its effect. */
  | { readonly writeAfter: RequestName | undefined; readonly taken: boolean };

const arrives = (request: RequestName): Moment => ({ request, taken: false });
const unanswered = (request: RequestName): Moment => ({ request, taken: true });
const unsaved = (writeAfter?: RequestName): Moment => ({ writeAfter, taken: false });
const saved = (writeAfter?: RequestName): Moment => ({ writeAfter, taken: true });

/** Each with its sentence. In some, the next process is killed, too. */
export const MOMENTS: Readonly<Record<string, readonly [sentence: string, ...moments: Moment[]]>> = {
  'first-write': ['the first Start is about to be stored', unsaved()],
  'first-stored': ['the first Start is stored', saved()],
  search: ['the history is searched for the board of an earlier process', arrives('search')],
  post: ['the board is about to be posted', arrives('post')],
  posted: ['the board was posted, before the answer is seen', unanswered('post')],
  'place-write': ['the board was posted, before its place is stored', unsaved('post')],
  'place-stored': ['the place of the board is stored', saved('post')],
  update: ['the first update is sent', arrives('update')],
  updated: ['the first update was made, before the answer is seen', unanswered('update')],
  'update-write': ['the first update was made, before that is stored', unsaved('update')],
  reply: ['the reply to a failure is sent', arrives('reply')],
  replied: ['the reply to a failure was posted, before the answer is seen', unanswered('reply')],
  'reply-write': ['the reply to a failure was posted, before that is stored', unsaved('reply')],
  'last-update': ['the update with the last state of all plans is sent', arrives('last update')],
  'last-updated': ['the update with the last state was made, unanswered', unanswered('last update')],
  close: ['the board is about to be closed', arrives('close')],
  closed: ['the board was closed, before the answer is seen', unanswered('close')],
  end: ['the reply at the end of the night is sent', arrives('end')],
  ended: ['the reply at the end was posted, before the answer is seen', unanswered('end')],
  twice: [
    'the board was posted, unanswered; and again when the next process searches for it',
    unanswered('post'),
    arrives('search'),
  ],
  'twice-updated': [
    'an update was made, unanswered; and again after the first update of the next process',
    unanswered('update'),
    unanswered('update'),
  ],
};
