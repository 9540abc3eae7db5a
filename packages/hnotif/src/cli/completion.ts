export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export interface CompletedFlag {
  /** With its dashes. */
  readonly name: string;
  /** `-n`; undefined: it has none. */
  readonly short: string | undefined;
  readonly description: string;
  readonly takes: 'nothing' | 'text' | 'file';
  /** Its possible values; none: any text. */
  readonly words: readonly string[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** Possible first arguments. */
  readonly words: readonly string[];
  readonly takesFiles: boolean;
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
  // Commands have flags of the same name with other values.
  const valueCases = commands.flatMap((command) =>
    command.flags
      .filter(({ takes }) => takes !== 'nothing')
      .map(({ name, short, words }) => {
        const names = [name, short ?? []].flat().map((each) => quoted(`${command.name} ${each}`));
        return `    ${names.join('|')}) words=${quoted(words.join(' '))} ;;`;
      }),
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
  case "\${COMP_WORDS[1]} $previous" in
${valueCases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _hnotif hnotif
`;
}

const HELP: CompletedFlag = {
  ...{ name: '--help', short: '-h', description: 'explain the command', takes: 'nothing', words: [] },
};

/** The specifications of a flag for `_arguments`, one for each of its names. */
function specsOf({ name, short, description, takes, words }: CompletedFlag): readonly string[] {
  const names = [name, ...(short === undefined ? [] : [short])];
  const action = words.length > 0 ? `(${words.join(' ')})` : takes === 'file' ? '_files' : ' ';
  const value = takes === 'nothing' ? '' : `:value:${action}`;
  return names.map((each) => {
    const takesEquals = takes !== 'nothing' && each === name ? '=' : '';
    return `(${names.join(' ')})${each}${takesEquals}[${description.replaceAll(/[[\]]/g, '')}]${value}`;
  });
}

function zsh(commands: readonly CompletedCommand[]): string {
  const described = (name: string, text: string): string => quoted(`${name}:${text.replaceAll(':', '\\:')}`);
  const cases = commands.map(({ name, flags, takesFiles, words }) => {
    const specs = [...flags, HELP].flatMap(specsOf).map(quoted);
    const args = [
      ...(words.length === 0 ? [] : [quoted(`1:argument:(${words.join(' ')})`)]),
      // Without it, flags after an argument are not completed.
      takesFiles ? quoted('*:file:_files') : quoted('*:argument: '),
    ];
    return `    ${name}) _arguments ${[...specs, ...args].join(' ')} ;;`;
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
if [[ $funcstack[1] == _hnotif ]]; then
  _hnotif "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _hnotif hnotif
fi
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, flags, takesFiles, words }) => {
    const here = `complete -c hnotif -n ${quoted(`__hnotif_is ${name}`)}`;
    const first = `__hnotif_is ${name}; and not __fish_seen_subcommand_from ${words.join(' ')}`;
    return [
      `complete -c hnotif -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...(words.length === 0 ? [] : [`complete -c hnotif -n ${quoted(first)} -a ${quoted(words.join(' '))}`]),
      ...(takesFiles ? [`${here} -F`] : []),
      ...[...flags, HELP].map((flag) => {
        const short = flag.short === undefined ? '' : ` -s ${flag.short.slice(1)}`;
        const values = flag.words.length === 0 ? '' : ` -a ${quoted(flag.words.join(' '))}`;
        const value = { nothing: '', text: ` -x${values}`, file: ' -r -F' }[flag.takes];
        return `${here} -l ${flag.name.slice(2)}${short} -d ${quoted(flag.description)}${value}`;
      }),
    ];
  });
  return `# fish completion of hnotif
function __hnotif_is
  set -l words (commandline -opc)
  test (count $words) -gt 1; and test $words[2] = $argv[1]
end
complete -c hnotif -f
${lines.join('\n')}
`;
}

const SCRIPTS = { bash, zsh, fish } as const;
