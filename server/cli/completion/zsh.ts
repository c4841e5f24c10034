import { quote, type Spec, type Word } from './specs.ts';

/** A script for zsh. It works as that for bash, and shows descriptions. */
export function toZsh(specs: Spec[]): string {
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
