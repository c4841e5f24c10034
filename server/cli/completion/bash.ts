import { quote, type Spec, type Word } from './specs.ts';

/**
 * A script for bash. It finds the command among the words before the cursor, and offers what can follow;
 * `-o default` completes file names where nothing is offered.
 */
export function toBash(specs: Spec[]): string {
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
