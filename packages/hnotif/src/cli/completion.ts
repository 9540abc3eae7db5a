export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export interface CompletedFlag {
  /** With its dashes. */
  readonly name: string;
  readonly description: string;
  /** Its possible values; none: any text. */
  readonly words: readonly string[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** Possible arguments. */
  readonly words: readonly string[];
}

/** The script of a shell. It contains all commands and flags, so completing starts no process. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  return SCRIPTS[shell](commands);
}

/** A text between single quotes, for each of the shells. */
const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;

const wordsOf = ({ flags, words }: CompletedCommand): string =>
  [...words, ...flags.map(({ name }) => name), '--help'].join(' ');

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map((command) => `    ${command.name}) words=${quoted(wordsOf(command))} ;;`);
  const values = new Map(
    commands.flatMap(({ flags }) =>
      flags.filter(({ words }) => words.length > 0).map(({ name, words }) => [name, words] as const),
    ),
  );
  const short = values.has('--output') ? '--output|-o' : '';
  const valueCases = [...values].map(
    ([name, words]) => `    ${name === '--output' ? short : name}) words=${quoted(words.join(' '))} ;;`,
  );
  return `# bash completion of hnotif
_hnotif() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(commands.map(({ name }) => name).join(' '))} -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$previous" in
${valueCases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _hnotif hnotif
`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  const described = (name: string, text: string): string => quoted(`${name}:${text.replaceAll(':', '\\:')}`);
  const cases = commands.map(({ name, flags, words }) => {
    const specs = flags.map((flag) =>
      quoted(
        `${flag.name}[${flag.description.replaceAll(/[[\]]/g, '')}]${flag.words.length === 0 ? '' : `:value:(${flag.words.join(' ')})`}`,
      ),
    );
    const args = words.length === 0 ? quoted('*:file:_files') : quoted(`1:argument:(${words.join(' ')})`);
    return `    ${name}) _arguments ${[...specs, args].join(' ')} ;;`;
  });
  return `#compdef hnotif
_hnotif() {
  if (( CURRENT == 2 )); then
    local commands=(${commands.map(({ name, summary }) => described(name, summary)).join(' ')})
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _hnotif hnotif
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, flags, words }) => [
    `complete -c hnotif -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...(words.length === 0
      ? []
      : [
          `complete -c hnotif -n ${quoted(`__fish_seen_subcommand_from ${name}`)} -f -a ${quoted(words.join(' '))}`,
        ]),
    ...flags.map(
      (flag) =>
        `complete -c hnotif -n ${quoted(`__fish_seen_subcommand_from ${name}`)} -l ${flag.name.slice(2)} -d ${quoted(flag.description)}` +
        (flag.words.length === 0 ? '' : ` -x -a ${quoted(flag.words.join(' '))}`),
    ),
  ]);
  return `# fish completion of hnotif\n${lines.join('\n')}\n`;
}

const SCRIPTS = { bash, zsh, fish } as const;
