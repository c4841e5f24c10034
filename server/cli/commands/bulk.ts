import type { BulkResponse, SentBulkChange } from '../../../shared/links/bulk.ts';
import { toBulkQuery } from '../../../shared/links/bulk-request.ts';
import type { LinkFilter } from '../../../shared/links/link-list.ts';
import { connectWithToken, type ServerOptions } from '../api/connect.ts';
import { CliError, succeed, usageError } from '../cli-error.ts';
import { type CurtCommand, withoutUndefined } from '../command.ts';
import type { Context } from '../context.ts';
import { toTable } from '../terminal/output.ts';
import { assertConfirmed, type Report, withProgress } from '../terminal/prompts.ts';
import { FILTERS, type FilterOptions, toFilter, withFilterOptions } from './which-links.ts';

type BulkOptions = ServerOptions &
  FilterOptions & { all?: boolean; dryRun?: boolean; yes?: boolean };
type EditOptions = BulkOptions & {
  activate?: boolean;
  deactivate?: boolean;
  addTag?: string[];
  removeTag?: string[];
  expiresAt?: string;
  expiry?: boolean;
  moveTo?: string;
};

/** What became of the links. */
type Changed = Pick<BulkResponse['data'], 'changed' | 'failed'>;
type SendPart = (part: { cursor?: string; dryRun?: boolean }) => Promise<BulkResponse>;

export function addBulk(program: CurtCommand, context: Context): void {
  const bulk = program.command('bulk').description('change many links at once');
  const collect = (tag: string, tags: string[] = []) => [...tags, tag];

  const edit = bulk.command('edit').description('change all links that match');
  withBulkOptions(edit)
    .option('--activate', 'resume the links')
    .option('--deactivate', 'pause the links')
    .option('--add-tag <tag>', 'add this tag; can be repeated', collect)
    .option('--remove-tag <tag>', 'remove this tag; can be repeated', collect)
    .option('--expires-at <time>', 'when the links expire, such as 2030-01-31T12:00:00Z')
    .option('--no-expiry', 'let the links never expire')
    .option('--move-to <host>', 'move the links to this domain')
    .exclusive('activate', 'deactivate')
    .exclusive('expiresAt', 'expiry')
    .examples(
      'curt bulk edit --tag 2025 --deactivate --dry-run',
      'curt bulk edit --search invoice --add-tag finance --yes',
      'curt bulk edit --domain old.example --move-to go.example',
    )
    .action((options: EditOptions) => changeAll(context, options, toChange(options)));

  const remove = bulk
    .command('delete')
    .description('delete all links that match; they can be restored for 30 days');
  withBulkOptions(remove)
    .examples('curt bulk delete --status expired', 'curt bulk delete --all --yes')
    .action((options: BulkOptions) => changeAll(context, options, { isDeleted: true }));

  const restore = bulk.command('restore').description('restore all deleted links that match');
  withBulkOptions(restore, 'status')
    .examples('curt bulk restore --tag test', 'curt bulk restore --all')
    .action((options: BulkOptions) => {
      assertFilter(options);
      const { all: _all, ...filter } = options;
      return changeAll(context, { ...filter, status: 'deleted' }, { isDeleted: false });
    });
}

function withBulkOptions(command: CurtCommand, except?: keyof LinkFilter): CurtCommand {
  return withFilterOptions(command, except)
    .option('--all', 'all links, without a filter')
    .option('--dry-run', 'only count the links')
    .option('--yes', 'do not ask first')
    .serverOption();
}

function toChange(options: EditOptions): SentBulkChange {
  const { activate, deactivate, addTag, removeTag, expiresAt, expiry, moveTo } = options;
  const isActive = activate || deactivate ? activate === true : undefined;
  const change = withoutUndefined({
    isActive,
    addTags: addTag,
    removeTags: removeTag,
    expiresAt: expiry === false ? null : expiresAt,
    domain: moveTo,
  });
  if (Object.keys(change).length > 0) return change;
  throw usageError('Nothing to change. See `curt bulk edit --help`.');
}

/** Nobody changes all links, or more than they mean to, because of a variable that is empty. */
function assertFilter(options: BulkOptions): void {
  const filter = toFilter(options);
  for (const [name, { long }] of FILTERS) {
    const value = filter[name];
    if (value !== undefined && String(value).trim() === '') throw usageError(`${long} is empty.`);
  }
  if (Object.keys(filter).length > 0 === (options.all === true)) {
    throw usageError('Say which links: with a filter such as --tag, or with --all.');
  }
}

/** Counts the links, asks, and changes them page by page. */
export async function changeAll(
  context: Context,
  options: BulkOptions,
  change: SentBulkChange,
  question?: string,
): Promise<void> {
  assertFilter(options);
  const { dryRun, yes } = options;
  const { client } = await connectWithToken(context, options);
  const send: SendPart = async (part) => {
    const query = toBulkQuery(toFilter(options), part);
    return succeed(await client.changeLinks({ body: change, ...query })).data;
  };
  const { matched } = (await send({ dryRun: true })).data;
  if (dryRun) return context.output.result({ matched }, `Links: ${matched}`);
  if (matched > 0 && !yes) {
    await assertConfirmed(question ?? `Links: ${matched}. Change them?`);
  }
  const { changed, failed } = await withProgress(context, 'Changing links', (report) =>
    changePages(send, matched, report),
  );
  if (failed.length === 0) {
    return context.output.result({ matched, changed }, `Links changed: ${changed.length}`);
  }
  const rows = failed.map(({ alias, message }) => [alias, message]);
  context.output.note(toTable([['ALIAS', 'MESSAGE'], ...rows]));
  throw new CliError(
    'links_failed',
    `Links changed: ${changed.length}. Links that could not be changed: ${failed.length}.`,
    'failed',
    { report: { matched, changed, failed } },
  );
}

/** @throws CliError with what was changed before it */
async function changePages(send: SendPart, matched: number, report: Report): Promise<Changed> {
  const all: Changed = { changed: [], failed: [] };
  let seen = 0;
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { data, nextCursor } = await send(cursor ? { cursor } : {}).catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      const { code, message, exit, details } = error;
      const done = `${all.changed.length} links were changed. Repeat the command for the rest.`;
      throw new CliError(code, `${message} ${done}`, exit, { ...details, report: all });
    });
    all.changed.push(...data.changed);
    all.failed.push(...data.failed);
    seen += data.matched;
    report(seen, matched);
    cursor = nextCursor;
  }
  return all;
}
