import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { rootsWith } from './ca.ts';
import { testCertificate } from './testing/certificate.ts';

const one = testCertificate('one.example');
const two = testCertificate('two.example');

test.each([
  ['one', one.cert, 1],
  ['two', one.cert + two.cert, 2],
  ['two with words between', `# one\n${one.cert}\nsubject=CN = two\n${two.cert}`, 2],
  ['lines that end as on Windows', (one.cert + two.cert).replaceAll('\n', '\r\n'), 2],
  ['no line break at the end', one.cert.trimEnd(), 1],
  ['a byte order mark', `\uFEFF${one.cert}`, 1],
  ['a key beside it', one.key + one.cert, 1],
])('a CA file with %s is read', (_what, pem, count) => {
  expect(rootsWith(pem)).toHaveLength(rootsWith(one.cert).length - 1 + count);
});

const begin = '-----BEGIN CERTIFICATE-----\n';
const end = '-----END CERTIFICATE-----\n';
const der = new X509Certificate(one.cert).raw.toString('latin1');

test.each([
  ['nothing', '', 'holds no PEM certificate'],
  ['a key alone', one.key, 'holds no PEM certificate'],
  ['DER', der, 'holds no PEM certificate'],
  [
    'a request for one',
    one.cert.replaceAll('CERTIFICATE', 'CERTIFICATE REQUEST'),
    'holds no PEM certificate',
  ],
  ['junk', `${begin}junk\n${end}`, 'certificate 1 of the CA file'],
  ['junk after one', `${one.cert}${begin}AAAA\n${end}`, 'certificate 2 of the CA file'],
  ['one that is cut off', one.cert.slice(0, 200), 'certificate 1 of the CA file'],
  ['one and one that is cut off', one.cert + two.cert.slice(0, 200), 'certificate 2 of the CA file'],
  ['one that is cut off and one', one.cert.slice(0, 200) + two.cert, 'certificate 1 of the CA file'],
  ['one with foreign signs', one.cert.replace('M', '-'), 'certificate 1 of the CA file'],
  ['an empty one', begin + end, 'certificate 1 of the CA file'],
  [
    'one in the form of OpenSSL',
    one.cert.replaceAll('BEGIN CERT', 'BEGIN TRUSTED CERT'),
    'no PEM certificate',
  ],
])('a CA file with %s is refused with a clear message', (_what, pem, words) => {
  expect(() => rootsWith(pem)).toThrow(TypeError);
  expect(() => rootsWith(pem)).toThrow(words);
});
