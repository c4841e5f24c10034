import type { Failure } from '../../../shared/client.ts';
import type { AccountConnection } from '../api/connect.ts';
import { succeed, usageError } from '../cli-error.ts';

const SHORT_PATH = /^\/([\w-]+)\+?$/;

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
  if (!/^https?:\/\//i.test(text)) return text;
  const url = URL.parse(text);
  const [, alias] = SHORT_PATH.exec(url?.pathname ?? '') ?? [];
  if (url && alias !== undefined) {
    if (url.origin === server) return alias;
    const address = `${url.host}/${alias}`;
    const onDomain = await readUrl(address);
    if (onDomain !== undefined && new URL(onDomain).origin === url.origin) return address;
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
