import { Option } from 'commander';
import type { Failure } from '../../../shared/client.ts';
import { linkAt } from '../../../shared/links/link-address.ts';
import type { LinkFilter } from '../../../shared/links/link-list.ts';
import { LINK_STATUSES } from '../../../shared/links/link-status.ts';
import { eachExactField, isPlainField, SEARCHED_TEXT } from '../../../shared/links/plain-fields.ts';
import { readAlias, readShortUrl } from '../../../shared/links/short-url.ts';
import type { AccountConnection } from '../api/connect.ts';
import { succeed, usageError } from '../cli-error.ts';
import type { CurtCommand } from '../command.ts';
import { plainOption } from './link-options.ts';

/**
 * Returns the alias of a link that was given as an alias or as a short URL; on another domain with its host. An
 * error if it is another URL: then the command would change a link that only has the same alias.
 *
 * @param server its origin
 * @param readUrl a URL on the domain of the link with this host and alias; undefined if there is none
 * @throws CliError
 */
export async function toAlias(
  text: string,
  server: string,
  readUrl: (address: string) => Promise<string | undefined>,
): Promise<string> {
  const named = readShortUrl(text);
  if (named === undefined && !/^https?:\/\//i.test(text)) return readAlias(text)?.alias ?? text;
  if (named !== undefined) {
    const { protocol, host, alias } = named;
    const isAt = (url: URL) =>
      url.host === host && (protocol === undefined || url.protocol === protocol);
    if (isAt(new URL(server))) return alias;
    const address = `${host}/${alias}`;
    // Without a protocol, the server says whether there is such a domain.
    if (protocol === undefined) return address;
    const onDomain = await readUrl(address);
    if (onDomain !== undefined && isAt(new URL(onDomain))) return address;
  }
  throw usageError(`"${text}" is not the short URL of a link on ${server}.`);
}

/** Returns the same for a link of the account. @throws CliError */
export function toOwnAlias(text: string, { client, server }: AccountConnection): Promise<string> {
  const isUnknown = ({ code }: Failure) => code === 'not_found' || code === 'invalid_domain';
  return toAlias(text, server, async (alias) => {
    const link = await client.getLink(linkAt(alias));
    if (!link.ok && isUnknown(link)) return undefined;
    return succeed(link).data.shortUrl;
  });
}

/** What the options of a command say, by their names. */
export type FilterOptions = Record<string, unknown>;

const OPTIONS: { [K in keyof LinkFilter]-?: Option } = {
  q: new Option('--search <text>', `words, each part of ${SEARCHED_TEXT}`),
  tag: new Option('--tag <tag>', 'only links with this tag'),
  domain: new Option('--domain <host>', 'only links on this domain'),
  ...eachExactField((name) => {
    if (name === 'importId')
      return new Option('--import <id>', 'only links that this import added');
    const help = `only links with exactly this ${name}`;
    return isPlainField(name) ? plainOption(name, help) : new Option('--url <url>', help);
  }),
  status: new Option('--status <status>', 'only links with this status').choices(LINK_STATUSES),
};
export const FILTERS = Object.entries(OPTIONS) as [name: keyof LinkFilter, option: Option][];

/** Options that choose links by what they have. */
export function withFilterOptions(command: CurtCommand, except?: keyof LinkFilter): CurtCommand {
  for (const [name, option] of FILTERS) if (name !== except) command.addOption(option);
  return command;
}

/** Returns what is given of a filter. An option that is empty is, too. */
export function toFilter(options: FilterOptions): LinkFilter {
  const given = FILTERS.map(([name, option]) => [name, options[option.attributeName()]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
