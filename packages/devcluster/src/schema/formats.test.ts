import { describe, expect, it } from 'vitest';
import { formatCheck, parseDuration, unsupportedFormats } from './formats.ts';

const second = 1_000_000_000n;

/** Valid and invalid texts of a format. */
const formats: [string, string[], string[]][] = [
  ['byte', ['aGk=', 'YWJj', 'YQ=='], ['', 'a', 'aGk', 'a*==', 'YQ=']],
  ['cidr', ['10.0.0.0/8', '::1/128'], ['10.0.0.0', '10.0.0.0/33', '::1/129', '10.0.0.0/08', 'a/8']],
  ['date', ['2024-02-29'], ['2023-02-29', '2024-2-9', '2024-13-01', 'today']],
  [
    'date-time',
    ['2024-01-02T03:04:05Z', '2024-01-02t03:04:05.123456789+01:00', '2024-01-02T03:04:05z'],
    [
      '2024-01-02',
      '2024-01-02 03:04:05Z',
      '2024-01-02T03:04:05',
      '2024-02-30T03:04:05Z',
      '2024-01-02T24:00:00Z',
    ],
  ],
  ['duration', ['1h30m', '-1.5s', '0', '3 days', '1w 2d'], ['', 'soon', '1', 'h', '1x']],
  ['email', ['a@b', 'Some One <a.b@c.example>', '"a b"@c'], ['a', 'a@', '@b', 'a b@c', 'a@b@']],
  ['hostname', ['a', 'a-1.example', '1a.example'], ['-a', 'a..b', 'a_b', `${'a'.repeat(64)}.example`, 'a.b']],
  ['ipv4', ['10.1.2.3'], ['10.1.2', '010.1.2.3', '::1']],
  ['ipv6', ['::1', '2001:db8::ff'], ['10.1.2.3', '::1%eth0', 'g::1']],
  ['mac', ['01:23:45:67:89:ab', '0123.4567.89ab', '01-23-45-67-89-ab'], ['01:23', '01:23:45-67:89:ab']],
  ['password', ['', 'anything'], []],
  ['uri', ['https://a/b?c#d', '/path', 'urn:a:b'], ['', 'a b', 'relative', 'http://a/%zz', 'http://[']],
  ['uuid', ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'], ['123', 'g23e4567']],
  ['uuid4', ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-12d3-a456-426614174000']],
];

describe('formatCheck', () => {
  it.each(formats)('of %s takes %j and refuses %j', (format, good, bad) => {
    const check = formatCheck(format);
    expect(good.filter((text) => check?.(text) !== true)).toEqual([]);
    expect(bad.filter((text) => check?.(text) !== false)).toEqual([]);
  });

  it('knows no others, so that they are ignored', () => {
    expect(['int32', 'int-or-string', 'made-up', ...unsupportedFormats].map(formatCheck)).not.toContainEqual(
      expect.any(Function),
    );
  });
});

describe('parseDuration', () => {
  it('adds up units, fractions and signs', () => {
    expect(parseDuration('1h1m1.5s')).toBe(3661n * second + 500_000_000n);
    expect(parseDuration('-250ms')).toBe(-250_000_000n);
    expect(parseDuration('1.5µs')).toBe(1500n);
    expect(parseDuration('2 weeks 1 day')).toBe(15n * 86_400n * second);
  });

  it('refuses what is too long for 64 bits', () => {
    expect(parseDuration('2562047.5h')).toBe((5124095n * 3600n * second) / 2n);
    expect(parseDuration('2562048.5h')).toBeUndefined();
  });
});
