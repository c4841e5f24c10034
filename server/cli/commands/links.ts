import type { EditRequest } from '../../../shared/links/edit-request.ts';
import { linkAt } from '../../../shared/links/link-address.ts';
import type { LinkSort } from '../../../shared/links/link-list.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { readTypedUrl } from '../../../shared/links/url-in-text.ts';
import { connectWithToken, type ServerOptions } from '../api/connect.ts';
import { succeed, usageError } from '../cli-error.ts';
import {
  type CurtCommand,
  type PageOptions,
  parseHeader,
  readPages,
  withoutUndefined,
} from '../command.ts';
import type { Context } from '../context.ts';
import { toDay, toSparkline } from '../terminal/output.ts';
import { type LinkOptions, toFields, withLinkOptions, withResets } from './link-options.ts';
import { simpleCommands } from './simple-commands.ts';
import { type FilterOptions, toFilter, toOwnAlias, withFilterOptions } from './which-links.ts';

/** As in `LINK_SORTS`. */
const SORTS: LinkSort[] = ['created', 'visits', 'lastVisit', 'alias'];

type ListOptions = ServerOptions & PageOptions & FilterOptions & { sort?: LinkSort };

type EditOptions = LinkOptions &
  ServerOptions & {
    url?: string;
    expiry: boolean;
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

  simpleCommands(context, connectWithToken).list(program, 'tags', {
    description: 'list your tags with the number of links',
    examples: ['curt tags', "curt tags --json | jq -r '.data[].tag'"],
    read: (client) => client.listTags(),
    header: ['TAG', 'LINKS'],
    toCells: ({ tag, count }) => [tag, String(count)],
  });

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
    .exclusive('activate', 'deactivate')
    .exclusive('expiresAt', 'expiry')
    .exclusive('expiresIn', 'expiry')
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
    .option('--purge', 'delete the link permanently, now')
    .option('--restore', 'restore a link that was deleted')
    .exclusive('purge', 'restore')
    .examples('curt delete launch', 'curt delete launch --restore', 'curt delete launch --purge')
    .action((link: string, options: DeleteOptions) => deleteLink(context, link, options));
}

/** Characters of a title on a terminal. The destination follows it. */
const TITLE_CHARACTERS = 30;
/** Days of each character of a sparkline. */
const SPARK_DAYS = 3;

async function list(context: Context, options: ListOptions): Promise<void> {
  const { output } = context;
  const { client } = await connectWithToken(context, options);
  const isTerminal = process.stdout.isTTY === true && !output.json;
  const include = isTerminal ? ('visits30' as const) : undefined;
  const query = withoutUndefined({ ...toFilter(options), sort: options.sort, include });
  const page = await readPages(options, (part) => client.listLinks({ ...query, ...part }));
  const visitsOf = ({ visits30 = [] }: LinkRecord) =>
    Array.from({ length: visits30.length / SPARK_DAYS }, (_, index) =>
      visits30.slice(index * SPARK_DAYS, (index + 1) * SPARK_DAYS).reduce((sum, day) => sum + day),
    );
  const max = page.data.flatMap(visitsOf).reduce((most, visits) => Math.max(most, visits), 0);
  const spark = isTerminal ? ['30 DAYS'] : [];
  output.page(
    page,
    ['SHORT URL', 'VISITS', ...spark, 'STATUS', 'CREATED', 'TITLE', 'DESTINATION'],
    (link) => [
      link.shortUrl,
      String(link.hits),
      ...spark.map(() => toSparkline(visitsOf(link), max)),
      link.status,
      toDay(link.created),
      isTerminal ? cut(link.title || link.label) : link.title || link.label,
      link.originalUrl,
    ],
  );
}

function cut(title: string): string {
  const characters = [...title];
  if (characters.length <= TITLE_CHARACTERS) return title;
  return `${characters.slice(0, TITLE_CHARACTERS - 1).join('')}…`;
}

async function editLink(context: Context, text: string, options: EditOptions): Promise<void> {
  const connection = await connectWithToken(context, options);
  const { client } = connection;
  const link = linkAt(await toOwnAlias(text, connection));
  let { ifMatch } = options;
  const changes = await toChanges(options);
  if (changes.card) {
    // What the command leaves out of it stays, too.
    const before = succeed(await client.getLink(link));
    changes.card = { ...before.data.card, ...changes.card };
    ifMatch ??= before.etag;
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
      ? client.editLink({ ...link, ifMatch, body: changes })
      : client.removeAlias({ ...link, ifMatch, old: removeAlias })),
  );
  context.output.result(data, data.shortUrl, { etag });
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
  const connection = await connectWithToken(context, options);
  const { client } = connection;
  const alias = await toOwnAlias(text, connection);
  const link = linkAt(alias);
  const { data } = succeed(
    await (restore ? client.restoreLink(link) : client.deleteLink({ ...link, purge })),
  );
  const done = restore ? 'Restored' : 'Deleted';
  context.output.result(data, `${done} ${alias}${purge ? ' permanently' : ''}.`);
}
