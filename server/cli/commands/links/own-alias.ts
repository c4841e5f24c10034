import type { Client } from '../../../../shared/client.ts';
import { succeed } from '../../cli-error.ts';
import { toAlias } from './link-argument.ts';

type Sender = { client: Client; server: string; token: string };

/** The alias of an own link that was given as an alias or as a short URL. @throws CliError */
export function toOwnAlias(text: string, { client, server, token }: Sender): Promise<string> {
  return toAlias(text, server, async (alias) => {
    const link = await client.readLink({ alias, token });
    if (!link.ok && link.code === 'not_found') return undefined;
    return succeed(link).data.shortUrl;
  });
}
