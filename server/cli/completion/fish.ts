import type { Spec } from './specs.ts';

/** A script for fish: one line for each word that can follow a command. */
export function toFish(specs: Spec[]): string {
  const paths = specs.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  const lines = specs.flatMap(({ path, words, options }) => {
    const start = `complete -c curt -n ${quote(`__curt_is ${quote(path)}`)}`;
    return [
      ...words.map(({ text, description }) => {
        return `${start} -f -a ${quote(text)} -d ${quote(description)}`;
      }),
      ...options.map(({ text, description, takesValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : ' -r';
        return `${start} -l ${quote(text.slice(2))} -d ${quote(description)}${takesValue ? value : ''}`;
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

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
