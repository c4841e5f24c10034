import type { EditRequest } from '../../../shared/links/edit-request.ts';
import type { LinkSort } from '../../../shared/links/link-list.ts';
import { readTypedUrl } from '../../../shared/links/url-in-text.ts';
import { connectWithToken, type ServerOptions } from '../api/connect.ts';
import { type PageOptions, readPages } from '../api/pages.ts';
import { succeed, usageError } from '../cli-error.ts';
import { type CurtCommand, parseHeader, withoutUndefined } from '../command.ts';
import type { Context } from '../context.ts';
import { toCard } from './destination-options.ts';
import { toOwnAlias } from './link-argument.ts';
import { type FilterOptions, toFilter, withFilterOptions } from './link-filter.ts';
import { type LinkOptions, toFields, withLinkOptions, withResets } from './link-options.ts';

/** As in `LINK_SORTS`. */
const SORTS: LinkSort[] = ['created', 'visits', 'lastVisit', 'alias'];

type ListOptions = ServerOptions & PageOptions & FilterOptions & { sort?: LinkSort };

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

type DeleteOptions = ServerOptions & { purge?: boolean; restore?: boolean };

export function addLinks(program: CurtCommand, context: Context): void {
  const listing = program
    .command('list')
    .description('list links, newest first or in another order');
  withFilterOptions(listing)
    .choiceOption('--sort <order>', 'order of the list (default: created)', SORTS)
    .pageOptions()
    .serverOption()
    .examples(
      'curt list',
      'curt list --search invoice --status active',
      'curt list --sort visits --limit 10',
      "curt list --all --json | jq '.data[].shortUrl'",
    )
    .action((options: ListOptions) => list(context, options));

  program
    .command('tags')
    .description('list your tags with the number of links')
    .serverOption()
    .examples('curt tags', "curt tags --json | jq -r '.data[].tag'")
    .action((options: ServerOptions) => listTags(context, options));

  const edit = program
    .command('edit')
    .description('change a link; what you leave out stays as it is')
    .argument('<link>', 'alias or short URL')
    .option('--url <url>', 'new destination');
  withResets(withLinkOptions(edit))
    .serverOption()
    .option('--no-password', 'remove the password')
    .option('--no-expiry', 'remove the expiry')
    .option('--no-max-visits', 'remove the visit limit')
    .option('--activate', 'resume the link')
    .option('--deactivate', 'pause the link')
    .option('--remove-alias <alias>', 'remove an earlier alias of the link')
    .option('--if-match <etag>', 'fail if the link has changed since', parseHeader)
    .examples(
      'curt edit launch --url example.com/new',
      'curt edit launch --alias party --no-expiry',
      'curt edit launch --rule "device=phone → https://example.com/app" --rule "share=50 → example.com/b"',
      'curt edit https://s.example.com/launch --deactivate',
    )
    .action((link: string, options: EditOptions) => editLink(context, link, options));

  program
    .command('delete')
    .description('delete a link; it can be restored for 30 days')
    .argument('<link>', 'alias or short URL')
    .serverOption()
    .option('--purge', 'erase the link now, for good')
    .option('--restore', 'restore a link that was deleted')
    .examples('curt delete launch', 'curt delete launch --restore', 'curt delete launch --purge')
    .action((link: string, options: DeleteOptions) => deleteLink(context, link, options));
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const { client, token } = await connectWithToken(context, options);
  const query = withoutUndefined({ ...toFilter(options), sort: options.sort });
  const { data, nextCursor } = await readPages(options, (page) =>
    client.listLinks(token, { ...query, ...page }),
  );
  context.output.page(
    { data: data, nextCursor },
    ['SHORT URL', 'VISITS', 'STATUS', 'DESTINATION'],
    ({ shortUrl, hits, status, originalUrl }) => [shortUrl, String(hits), status, originalUrl],
  );
}

async function listTags(context: Context, options: ServerOptions): Promise<void> {
  const { client, token } = await connectWithToken(context, options);
  const { data } = succeed(await client.listTags(token));
  context.output.table(data, ['TAG', 'LINKS'], ({ tag, count }) => [tag, String(count)]);
}

async function editLink(context: Context, text: string, options: EditOptions): Promise<void> {
  assertNoConflict(options);
  const connection = await connectWithToken(context, options);
  const { client, token } = connection;
  const alias = await toOwnAlias(text, connection);
  const link = { alias, token, ifMatch: options.ifMatch };
  const changes = await toChanges(options);
  if (changes.card) {
    // What the command leaves out of it stays, too.
    const before = succeed(await client.readLink(link));
    changes.card = { ...before.data.card, ...changes.card };
    link.ifMatch ??= before.etag;
  }
  const hasChanges = Object.keys(changes).length > 0;
  const { removeAlias } = options;
  // Two requests, of which one could fail.
  if (removeAlias !== undefined && hasChanges) {
    throw usageError('Remove an alias with a command of its own, without other changes.');
  }
  if (removeAlias === undefined && !hasChanges) {
    throw usageError('Nothing to change. See `curt edit --help`.');
  }
  const { data, etag } = succeed(
    await (removeAlias === undefined
      ? client.editLink(link, changes)
      : client.removeAlias(link, removeAlias)),
  );
  context.output.result(data, data.shortUrl, { etag });
}

function assertNoConflict({ activate, deactivate, tag, tags, ...options }: EditOptions): void {
  if (activate && deactivate) throw usageError('Choose one of --activate and --deactivate.');
  if (tag && !tags) throw usageError('Choose one of --tag and --no-tags.');
  if (options.rule && !options.rules) throw usageError('Choose one of --rule and --no-rules.');
  if (toCard(options) && !options.card) throw usageError('Choose one of --card-… and --no-card.');
  const sets = options.expiresAt !== undefined || options.expiresIn !== undefined;
  if (sets && !options.expiry) throw usageError('Choose one of --no-expiry and a new expiry.');
}

async function toChanges(options: EditOptions): Promise<EditRequest> {
  return {
    ...(await toFields(options)),
    ...(options.url !== undefined && { originalUrl: readTypedUrl(options.url) }),
    ...(!options.expiry && { expiresAt: null }),
    ...((options.activate || options.deactivate) && { isActive: options.activate === true }),
  } as EditRequest;
}

async function deleteLink(context: Context, text: string, options: DeleteOptions): Promise<void> {
  const { purge, restore } = options;
  if (purge && restore) throw usageError('Choose one of --purge and --restore.');
  const connection = await connectWithToken(context, options);
  const { client, token } = connection;
  const link = { alias: await toOwnAlias(text, connection), token };
  const { data } = succeed(
    await (restore
      ? client.restoreLink(link)
      : purge
        ? client.purgeLink(link)
        : client.deleteLink(link)),
  );
  const done = restore ? 'Restored' : purge ? 'Erased' : 'Deleted';
  context.output.result(data, `${done} ${link.alias}.`);
}
