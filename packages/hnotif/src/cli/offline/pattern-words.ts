import {
  DATA_KEY,
  LABEL_KEY,
  LABEL_VALUE,
  LOCATION_NAME,
  TIME_OF_DAY,
  TIME_WORDS,
  WEEKDAY_RANGE,
  WEEKDAY_WORDS,
  LABEL_NAME,
  OBJECT_NAME,
} from '@hnotif/core/resources';

const ENDS = 'with a letter or digit first and last';

/** What may name a namespace, and an object. */
export const LABEL_NAME_WORDS = `must be lower case letters, digits and -, ${ENDS}`;
export const OBJECT_NAME_WORDS = `must be lower case letters, digits, - and ., ${ENDS}`;

/** What a text must look like, by the pattern of the definition. */
export const PATTERN_WORDS: ReadonlyMap<string, string> = new Map([
  [LABEL_NAME, LABEL_NAME_WORDS],
  [OBJECT_NAME, OBJECT_NAME_WORDS],
  [LABEL_VALUE, `must be letters, digits, -, _ and ., ${ENDS}`],
  [
    LABEL_KEY,
    `must be letters, digits, -, _ and ., ${ENDS}, at most 63 characters; before it may be a DNS name and /`,
  ],
  [WEEKDAY_RANGE, `must be ${WEEKDAY_WORDS}, in lower case`],
  [TIME_OF_DAY, `must be ${TIME_WORDS}`],
  [LOCATION_NAME, 'must be a time zone such as Europe/Paris'],
  [DATA_KEY, 'must be letters, digits, -, _ and .'],
]);
