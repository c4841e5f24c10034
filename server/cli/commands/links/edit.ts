import type { Command } from 'commander';
import type { EditRequest } from '../../../../shared/links/edit-request.ts';
import { CliError, succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { toAlias } from './link-argument.ts';
import { type LinkOptions, toFields, withLinkOptions } from './link-options.ts';
import { withoutToken } from './link-output.ts';

type EditOptions = LinkOptions &
  ServerOptions & {
    url?: string;
    expiry: boolean;
    tags: boolean;
    activate?: boolean;
    deactivate?: boolean;
    ifMatch?: string;
    removeAlias?: string;
  };

export function addEdit(program: Command, context: Context): void {
  const command = program
    .command('edit')
    .description('change a link; what you leave out stays as it is')
    .argument('<link>', 'alias or short URL');
  withServer(withLinkOptions(command.option('--url <url>', 'new target')))
    .option('--no-password', 'remove the password')
    .option('--no-expiry', 'remove the expiry')
    .option('--no-gtm', 'remove the container')
    .option('--no-description', 'remove the description')
    .option('--no-max-visits', 'remove the limit of visits')
    .option('--no-forward-query', 'do not add the query of a visit to the target')
    .option('--no-tags', 'remove all tags')
    .option('--activate', 'switch the link on')
    .option('--deactivate', 'switch the link off')
    .option('--remove-alias <alias>', 'remove an earlier alias of the link')
    .option('--if-match <etag>', 'fail if the link has changed since')
    .addHelpText('after', EXAMPLES)
    .action((link: string, options: EditOptions) => run(context, link, options));
}

async function run(context: Context, text: string, options: EditOptions): Promise<void> {
  const { connectWithToken } = await import('../../server/connection.ts');
  const { client, token } = await connectWithToken(context, options);
  const link = { alias: toAlias(text), token, ifMatch: options.ifMatch };
  const edit = await toEdit(options);
  if (Object.keys(edit).length === 0 && options.removeAlias === undefined) {
    throw new CliError('usage', 'Nothing to change. See `curt edit --help`.', 'usage');
  }
  if (options.removeAlias !== undefined) {
    const removed = succeed(await client.removeAlias(link, options.removeAlias));
    // The link has changed, so the ETag of before is not valid any more.
    if (link.ifMatch !== undefined) link.ifMatch = removed.etag;
    if (Object.keys(edit).length === 0) {
      context.output.result(withoutToken(removed.data), removed.data.shortUrl);
      return;
    }
  }
  const { data, etag } = succeed(await client.editLink(link, edit));
  context.output.result(withoutToken(data), data.shortUrl, { etag });
}

async function toEdit(options: EditOptions): Promise<EditRequest> {
  return {
    ...(await toFields(options)),
    ...(options.url !== undefined && { originalUrl: options.url }),
    ...(!options.expiry && { expiresAt: null }),
    ...(!options.tags && { tags: [] }),
    ...((options.activate || options.deactivate) && { isActive: options.activate === true }),
  } as EditRequest;
}

const EXAMPLES = `
Examples:
  $ curt edit launch --url example.com/new
  $ curt edit launch --alias party --no-expiry
  $ curt edit https://s.example.com/launch --deactivate`;
