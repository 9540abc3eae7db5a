import { deflateRawSync } from 'node:zlib';
import type { JournalObject } from '../../../journals.ts';
import { DEFAULT_API_GROUP as GROUP } from '@hnotif/core/resources';

/**
 * A copy of a journal with another name and other fields. An attacker copies a journal that hnotif has written, so the layout does not
 * matter here.
 */
export const copyOf = ({ metadata, spec }: JournalObject, name: string, fields: object): object => ({
  ...{ apiVersion: `${GROUP}/v1alpha1`, kind: 'HibernateNotificationJournal' },
  metadata: { name, labels: (metadata as unknown as { readonly labels: object }).labels },
  spec: { ...spec, ...fields },
});

/** A text that inflates to this many bytes of JSON: one object for each three bytes. 60 MB are 80 kB when deflated. */
export const inflating = (bytes: number): string =>
  'deflate-raw+base64:' +
  deflateRawSync(
    `{"events":[${Array<string>(Math.floor(bytes / 3))
      .fill('{}')
      .join()}]}`,
  ).toString('base64');
