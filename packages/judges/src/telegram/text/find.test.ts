import { describe, expect, it } from 'vitest';
import { findEntities } from './find.ts';

/** What is found, as `kind text`. */
function found(text: string): string[] {
  return findEntities(text).map(
    ({ type, offset, length }) => `${type} ${text.slice(offset, offset + length)}`,
  );
}

describe('what Telegram finds in a text by itself', () => {
  it.each<[string, readonly string[]]>([
    ['@night_shift, (@ops1) a@user @üser', ['mention @night_shift', 'mention @ops1']],
    ['@abc @gif @abcd_ @user-x', ['mention @gif', 'mention @abcd_', 'mention @user']],
    [`@${'a'.repeat(32)} @${'b'.repeat(33)}`, [`mention @${'a'.repeat(32)}`]],
    ['@\u2060user \u2060@user', ['mention @user']],
    ['#prod #42 #4x a#b #a#b ##x #día.', ['hashtag #prod', 'hashtag #4x', 'hashtag #x', 'hashtag #día']],
    [`#${'x'.repeat(300)}`, [`hashtag #${'x'.repeat(256)}`]],
    ['$USD $usd a$USD $TOOLONGNAME $$USD', ['cashtag $USD']],
    ['/start /start@bot_name x/y </b> /a/b //c /d@x', ['bot_command /start', 'bot_command /start@bot_name']],
    [
      'me@example.org, a.b@x.co mailto:me@x.org',
      ['email me@example.org', 'email a.b@x.co', 'email me@x.org'],
    ],
    ['example.com. Next.In a.b x.invalid', ['url example.com']],
    ['http://x.invalid https://a.b http://localhost', ['url http://x.invalid']],
    [
      'see https://x.org/a_(b), (https://x.org/c) «x.org/d»',
      ['url https://x.org/a_(b)', 'url https://x.org/c', 'url x.org/d'],
    ],
    ['ftp://x.org sftp://x.org shttp://x.org gopher://x.org', ['url ftp://x.org']],
    ['https://user:pass@x.org:8080/?q=1#f!', ['url https://user:pass@x.org:8080/?q=1#f']],
    ['10.0.0.1 10.0.0.256 1.2.3 10.0.0.1:80', ['url 10.0.0.1', 'url 10.0.0.1:80']],
    ['tg://resolve?domain=x, tg://a? xtg://b', ['url tg://resolve?domain=x', 'url tg://a', 'url tg://b']],
    ['a_b.example.com a.b_c.com -x.com x-.com', ['url a_b.example.com', 'url -x.com']],
    ['2026-01-05 20:03:04.123 v1.2.3 db-1.rds', []],
    ['plan.prod eks.aws', ['url plan.prod', 'url eks.aws']],
    ['пример.рф 例え.みんな', ['url пример.рф', 'url 例え.みんな']],
    ['https://x.org/#tag @user/path #a.b', ['url https://x.org/#tag', 'mention @user', 'hashtag #a']],
  ])('%s', (text, entities) => {
    expect(found(text)).toEqual(entities);
  });

  it('takes no longer for what is made to take long', () => {
    for (const hostile of ['@a.', 'a.', '.', 'a@', '://', 'http://a.b', '(', '/#$@', '\u{1f319}.']) {
      expect(findEntities(hostile.repeat(4000)).length).toBeGreaterThanOrEqual(0);
    }
  });
});
