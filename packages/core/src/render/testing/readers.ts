import type { BuiltinForm } from '../builtin.ts';

/** What a reader sees of a built-in message, without the emoji before the heading. Throws for markup that is not closed. */
export const READERS: Readonly<Record<BuiltinForm, (text: string) => string>> = {
  teamchat(text) {
    const heading = /^:\w+: (?=\*)/;
    return unescaped(text.replace(heading, '').replaceAll('*', ''));
  },
  'botchat-html': (text) => unescaped(withoutEmoji(text).replace(/<(b|code)>([^<>]*)<\/\1>/g, '$2')),
  'botchat-markdown': (text) => markdown(withoutEmoji(text)),
  msteams: (text) => text.replace(/^[^\w\n•]+ (?=[A-Z])/u, ''),
  webhook: (text) => text,
};

const withoutEmoji = (text: string): string => text.replace(/^[^\w<*]+ (?=<b>|\*)/u, '');

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', '#34': '"' };

/** https://core.telegram.org/bots/api#html-style: these characters are allowed only in a tag or an entity. */
function unescaped(text: string): string {
  return text.replace(/&(lt|gt|amp|#34);|[<>&]/g, (found, name: string | undefined) => {
    if (name === undefined) throw new Error(`${found} is not escaped in ${text}`);
    return ENTITIES[name] ?? found;
  });
}

/** https://core.telegram.org/bots/api#markdownv2-style */
function markdown(text: string): string {
  let shown = '';
  let bold = false;
  let code = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '\\') shown += text.charAt(++i);
    else if (character === '`') code = !code;
    else if (code) shown += character;
    else if (character === '*') bold = !bold;
    else if (/[_[\]()~>#+\-=|{}.!]/.test(character))
      throw new Error(`${character} is not escaped in ${text}`);
    else shown += character;
  }
  if (bold || code) throw new Error(`the markup is not closed: ${text}`);
  return shown;
}
