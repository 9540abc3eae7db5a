/** A channel, a private channel or a direct message; the user of one. */
const ID = /^[CDGUW][A-Z0-9]+$/;
/** The history of these can be read. */
const CONVERSATION_ID = /^[CDG][A-Z0-9]+$/;
/** In a link, a mention or a thread, or after `#`. */
const ID_WITHIN = /(?:\/archives\/|\/client\/\w+\/|^<?#|^)([CDG][A-Z0-9]{7,})(?=[/:|>?]|$)/;
/** Names are in lower case, in any script. */
const NAME = /^#?[\w.-]+$/;

/** Why a text is no channel, and what to do. Undefined: it is one, or empty. */
export function channelIdProblem(text: string): string | undefined {
  if (text === '' || ID.test(text)) return undefined;
  const [, id] = ID_WITHIN.exec(text) ?? [];
  if (id !== undefined) return `holds the ID ${id}; write it alone`;
  if (/^xox|^xapp/.test(text))
    return 'is a token; put it into bot_token, and the ID of the channel (C…) here';
  if (/^\w+:\/\/|\.slack\.com\//i.test(text))
    return "is a link; write the ID (C…), which the channel's details show at their end";
  if (text.startsWith('@'))
    return "is a user's name, which Slack does not take; write the ID of the user (U…), which the profile shows, or of the direct message (D…)";
  if (/^[A-Z][A-Z0-9]{7,}$/.test(text))
    return 'is the ID of something else, such as a workspace (T…) or an app (A…); write that of the channel (C…)';
  return NAME.test(text) && /[a-z]/i.test(text)
    ? undefined
    : 'is neither the ID nor the name of a channel; write the ID (C…) alone';
}

/** chat.postMessage takes a name, and answers with the ID; no other method does. */
export const channelIdNotes = (text: string): string[] =>
  ID.test(text)
    ? []
    : [
        "channel_id: is not an ID but, it seems, the name of a channel; the ID (C…) is better, which the channel's details show at their end: it stays when the channel is renamed, and with it hnotif can look for its first message if the answer to that one is lost",
      ];

/** Why the history of a channel cannot be read. Undefined: it has an ID. */
export const unreadableByName = (channel: string): string | undefined =>
  CONVERSATION_ID.test(channel)
    ? undefined
    : 'the history of a channel cannot be read by its name; give its ID (C…) as channel_id';
