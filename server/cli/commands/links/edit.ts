import type { Command } from 'commander';
import type { EditRequest } from '../../../../shared/links/edit-request.ts';
import { CliError, succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { type LinkOptions, toFields, withLinkOptions, withResets } from './link-options.ts';
import { withoutToken } from './link-output.ts';
import { toOwnAlias } from './own-alias.ts';

type EditOptions = LinkOptions &
  ServerOptions & {
    url?: string;
    expiry: boolean;
    tag?: string[];
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
  withServer(withResets(withLinkOptions(command.option('--url <url>', 'new target'))))
    .option('--no-password', 'remove the password')
    .option('--no-expiry', 'remove the expiry')
    .option('--no-max-visits', 'remove the limit of visits')
    .option('--activate', 'switch the link on')
    .option('--deactivate', 'switch the link off')
    .option('--remove-alias <alias>', 'remove an earlier alias of the link')
    .option('--if-match <etag>', 'fail if the link has changed since')
    .addHelpText('after', EXAMPLES)
    .action((link: string, options: EditOptions) => run(context, link, options));
}

async function run(context: Context, text: string, options: EditOptions): Promise<void> {
  assertNoConflict(options);
  const { connectWithToken } = await import('../../server/connection.ts');
  const { client, server, token } = await connectWithToken(context, options);
  const alias = await toOwnAlias(text, { client, server, token });
  const link = { alias, token, ifMatch: options.ifMatch };
  const edit = await toEdit(options);
  const isEdit = Object.keys(edit).length > 0;
  if (options.removeAlias !== undefined) {
    // Two requests, of which one could fail.
    if (isEdit) throw usage('Remove an alias with a command of its own, without other changes.');
    const { data, etag } = succeed(await client.removeAlias(link, options.removeAlias));
    context.output.result(withoutToken(data), data.shortUrl, { etag });
    return;
  }
  if (!isEdit) throw usage('Nothing to change. See `curt edit --help`.');
  const { data, etag } = succeed(await client.editLink(link, edit));
  context.output.result(withoutToken(data), data.shortUrl, { etag });
}

function assertNoConflict({ activate, deactivate, tag, tags, ...options }: EditOptions): void {
  if (activate && deactivate) throw usage('Choose one of --activate and --deactivate.');
  if (tag && !tags) throw usage('Choose one of --tag and --no-tags.');
  const sets = options.expiresAt !== undefined || options.expiresIn !== undefined;
  if (sets && !options.expiry) throw usage('Choose one of --no-expiry and a new expiry.');
}

function usage(message: string): CliError {
  return new CliError('usage', message, 'usage');
}

async function toEdit(options: EditOptions): Promise<EditRequest> {
  return {
    ...(await toFields(options)),
    ...(options.url !== undefined && { originalUrl: options.url }),
    ...(!options.expiry && { expiresAt: null }),
    ...((options.activate || options.deactivate) && { isActive: options.activate === true }),
  } as EditRequest;
}

const EXAMPLES = `
Examples:
  $ curt edit launch --url example.com/new
  $ curt edit launch --alias party --no-expiry
  $ curt edit https://s.example.com/launch --deactivate`;
