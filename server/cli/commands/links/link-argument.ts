import { CliError } from '../../cli-error.ts';

/** The alias of a link that was given as an alias or as a short URL. */
export function toAlias(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text;
  const [alias = ''] = URL.parse(text)?.pathname.slice(1).split(/[/+]/) ?? [];
  if (alias !== '') return alias;
  throw new CliError('usage', `"${text}" is not the short URL of a link.`, 'usage');
}
