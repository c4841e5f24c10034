/** Returns a text as one argument of a shell command, which bash, sh and zsh read alike. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
