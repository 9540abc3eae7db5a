/** What Slack takes: Block Kit, texts, attachments. Pure; runs in Node and in browsers. */
export { isFields, jsonFault, kindOf, parse, type Fields } from '../json.ts';
export { judgeMessage, readMessage, type MessageReading } from './message.ts';
export { isKnownType } from './blocks.ts';
export { explanationsOf, type SlackError, type SlackFault } from './walk.ts';
export { piecesOf, storedText, type Entity, type EntityKind, type Piece } from './mrkdwn.ts';
export { entitiesOfMessage } from './scan.ts';
