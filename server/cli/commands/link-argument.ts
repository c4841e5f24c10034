import type { Failure } from '../../../shared/client.ts';
import { readAlias, readShortUrl } from '../../../shared/links/short-url.ts';
import type { AccountConnection } from '../api/connect.ts';
import { succeed, usageError } from '../cli-error.ts';

/**
 * The alias of a link that was given as an alias or as a short URL; on another domain with its host. An error if it is another URL: then
 * the command would change a link that only has the same alias.
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

/** The same for a link of the account. @throws CliError */
export function toOwnAlias(
  text: string,
  { client, server, token }: AccountConnection,
): Promise<string> {
  const isUnknown = ({ code }: Failure) => code === 'not_found' || code === 'invalid_domain';
  return toAlias(text, server, async (alias) => {
    const link = await client.readLink({ alias, token });
    if (!link.ok && isUnknown(link)) return undefined;
    return succeed(link).data.shortUrl;
  });
}
