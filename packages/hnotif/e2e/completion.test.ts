import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hnotif } from './support/process.ts';
import { missing } from './support/programs.ts';
import { World } from './support/world.ts';

const SHELLS = ['zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** The real shell with our script offers these words for a line. */
type Offer = (line: string) => Promise<readonly string[]>;

/** A completion in an interactive zsh in a terminal: each word that is offered is printed, then the end. */
const CAPTURE = `
autoload -Uz compinit && compinit -u -D
source "$SCRIPT"
capture() {
  compadd() {
    if (( \${@[(I)-[ADO]*]} )); then builtin compadd "$@"; return; fi
    local -a offered
    builtin compadd -A offered "$@"
    (( $#offered )) && print -rl -- "<"\${^offered}">"
    builtin compadd "$@"
  }
  _main_complete
  print -r -- '{end}'
}
zle -C capture complete-word capture
bindkey '^I' capture
print -r -- '{ready}'
`;

const TERMINAL = `
zmodload zsh/zpty
zpty z 'TERM=dumb zsh -f -i'
zpty -w z 'source "$CAPTURE"'
zpty -r -m z shown '*{ready}*'
zpty -w -n z "$LINE"$'\\t'
zpty -r -m z shown '*{end}*'
print -r -- "$shown"
zpty -d z
`;

async function printed(shell: Shell, args: readonly string[], env: object): Promise<string> {
  const { PATH, HOME } = process.env;
  return (await promisify(execFile)(shell, args, { env: { PATH, HOME, ...env } })).stdout;
}

async function offers(shell: Shell): Promise<Offer> {
  const world = await World.start();
  const run = hnotif(['completion', shell]);
  expect(await run.exit).toBe(0);
  const SCRIPT = await world.file('completion', run.stdout.join('\n'));
  if (shell === 'fish')
    return async (LINE) => {
      const out = await printed(shell, ['--no-config', '-c', 'source $SCRIPT; complete -C $LINE'], {
        SCRIPT,
        LINE,
      });
      return out
        .split('\n')
        .filter(Boolean)
        .map((line) => line.replace(/\t.*$/, ''));
    };
  const file = await world.file('capture', CAPTURE);
  return async (LINE) => {
    const out = await printed(shell, ['-f', '-c', TERMINAL], { SCRIPT, CAPTURE: file, LINE });
    return [...out.matchAll(/<([^<>\s]+)>/g)].map(([, word = '']) => word.split(':')[0] ?? '');
  };
}

describe.each(SHELLS.map((shell) => ({ shell, why: missing(shell) })))('in $shell', ({ shell, why }) => {
  it.skipIf(why !== '')(
    `commands, flags, arguments and values are completed${why && ` (skipped: ${why})`}`,
    async () => {
      const offered = await offers(shell);
      expect(await offered('hnotif wh')).toEqual(['why']);
      expect(await offered('hnotif ')).toEqual(expect.arrayContaining(['why', 'replay', 'completion']));
      expect((await offered('hnotif get ')).toSorted()).toEqual(['journals', 'notifications', 'plans']);
      expect(await offered('hnotif get --namespace shop p')).toEqual(['plans']);
      expect(await offered('hnotif get -n shop p')).toEqual(['plans']);
      expect(await offered('hnotif get --o')).toEqual(['--output']);
      for (const flag of ['-o ', '--output ', '--output='])
        expect((await offered(`hnotif why ${flag}j`)).map((word) => word.replace(/^.*=/, ''))).toEqual([
          'json',
        ]);
      expect(await offered('hnotif replay storefront --no')).toEqual(['--notification']);
      // The name of a command is no command where it is an argument.
      expect(await offered('hnotif why get p')).toEqual([]);
      const here = join(import.meta.dirname, 'completion.test');
      expect((await offered(`hnotif validate ${here}`)).join()).toContain('completion.test.ts');
      expect((await offered(`hnotif render -f ${here}`)).join()).toContain('completion.test.ts');
      expect(await offered(`hnotif mute ${here}`)).toEqual([]);
    },
  );
});
