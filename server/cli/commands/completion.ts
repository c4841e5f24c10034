import { Argument, type Command, type Option } from 'commander';
import { quote } from '../../lib/quote.ts';
import type { CurtCommand } from '../command.ts';
import type { Context } from '../context.ts';

/** A word that can follow, with its description. */
type Word = { text: string; description: string };

/** What can follow a command. Where nothing is listed, shells complete the names of files. */
type Spec = {
  /** Names of the command and its parents, such as `account create`; empty for the program. */
  path: string;
  /** Commands of this command, or the choices of its argument. */
  words: Word[];
  options: (Word & { takesValue: boolean; choices: string[] })[];
};

const SHELLS = { bash: toBash, zsh: toZsh, fish: toFish };
type Shell = keyof typeof SHELLS;

export function addCompletion(program: CurtCommand, { output }: Context): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(SHELLS)))
    .examples(
      'eval "$(curt completion bash)"        # in ~/.bashrc',
      'eval "$(curt completion zsh)"         # in ~/.zshrc, after compinit',
      'curt completion fish | source         # in ~/.config/fish/config.fish',
    )
    .action((shell: Shell) => {
      const script = SHELLS[shell](specsOf(program));
      output.result({ shell, script }, script.trimEnd().split('\n'));
    });
}

/** The program and all its commands. */
function specsOf(command: Command, path = ''): Spec[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [
    {
      path,
      words: [
        ...commands.map((each) => ({ text: each.name(), description: each.description() })),
        ...choices.map((text) => ({ text, description: '' })),
      ],
      options: help.visibleOptions(command).map(toWord),
    },
    ...command.commands.flatMap((each) => specsOf(each, `${path} ${each.name()}`.trim())),
  ];
}

function toWord({ long, short, description, required, optional, argChoices }: Option) {
  return {
    text: long ?? short ?? '',
    description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}

/**
 * A script for bash. It finds the command among the words before the cursor, and offers what can follow;
 * `-o default` completes file names where nothing is offered.
 */
function toBash(specs: Spec[]): string {
  const paths = specs.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  const values = specs.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ text, choices }) =>
          `    ${quote(`${path} ${text}`)}) words=${quote(choices.join(' '))} ;;`,
      ),
  );
  const commands = specs.map(
    ({ path, words, options }) =>
      `      ${quote(path)}) options=${textsOf(options)} words=${textsOf(words)} ;;`,
  );
  return `# Completion for curt. In ~/.bashrc: eval "$(curt completion bash)"
_curt() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command='' words='' options='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    word="\${command:+$command }$word"
    case "$word" in
      ${paths.join('|')}) command="$word" ;;
    esac
  done
  case "$command $previous" in
${values.join('\n')}
    *) case "$command" in
${commands.join('\n')}
    esac ;;
  esac
  [[ "$current" == -* ]] && words="$options"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _curt curt
`;
}

function textsOf(words: Word[]): string {
  return quote(words.map(({ text }) => text).join(' '));
}

/** A script for zsh. It works as that for bash, and shows descriptions. */
function toZsh(specs: Spec[]): string {
  const paths = specs.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  const values = specs.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ text, choices }) => {
        return `    ${quote(`${path} ${text}`)}) found=(${choices.map(quote).join(' ')}) ;;`;
      }),
  );
  const commands = specs.map(
    ({ path, words, options }) => `      ${quote(path)})
        if [[ "$PREFIX" == -* ]]; then found=(${toItems(options)})
        else found=(${toItems(words)}); fi ;;`,
  );
  return `#compdef curt
# Completion for curt. In ~/.zshrc, after compinit: eval "$(curt completion zsh)"
_curt() {
  local command='' word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    word="\${command:+$command }$word"
    case "$word" in
      ${paths.join('|')}) command="$word" ;;
    esac
  done
  case "$command $words[CURRENT-1]" in
${values.join('\n')}
    *) case "$command" in
${commands.join('\n')}
    esac ;;
  esac
  if (( $#found )); then _describe curt found; else _files; fi
}
compdef _curt curt
`;
}

function toItems(words: Word[]): string {
  return words
    .map(({ text, description }) => quote(description === '' ? text : `${text}:${description}`))
    .join(' ');
}

/** A script for fish: one line for each word that can follow a command. */
function toFish(specs: Spec[]): string {
  const paths = specs.filter(({ path }) => path !== '').map(({ path }) => quoteForFish(path));
  const lines = specs.flatMap(({ path, words, options }) => {
    const start = `complete -c curt -n ${quoteForFish(`__curt_is ${quoteForFish(path)}`)}`;
    return [
      ...words.map(({ text, description }) => {
        return `${start} -f -a ${quoteForFish(text)} -d ${quoteForFish(description)}`;
      }),
      ...options.map(({ text, description, takesValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a ${quoteForFish(choices.join(' '))}` : ' -r';
        return `${start} -l ${quoteForFish(text.slice(2))} -d ${quoteForFish(description)}${takesValue ? value : ''}`;
      }),
    ];
  });
  return `# Completion for curt. In ~/.config/fish/config.fish: curt completion fish | source
function __curt_is
    set -l command ''
    for word in (commandline -opc)[2..]
        set -l longer (string trim -- "$command $word")
        contains -- "$longer" ${paths.join(' ')}; and set command "$longer"
    end
    test "$command" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
