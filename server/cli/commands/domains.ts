import { readFile } from 'node:fs/promises';
import type {
  AdminDomain,
  EditDomainRequest,
  RemoveDomainResponse,
} from '../../../shared/admin/domains.ts';
import type { Result } from '../../../shared/client/result.ts';
import { parseAuthority } from '../../lib/host-name.ts';
import { connectAsAdmin, type ServerOptions } from '../api/connect.ts';
import { succeed, usageError } from '../cli-error.ts';
import { type CurtCommand, orNull, withoutUndefined } from '../command.ts';
import type { Context } from '../context.ts';
import { simpleCommands } from './simple-commands.ts';

/** Options that `edit` can reset are false then. */
type DomainOptions = ServerOptions & {
  scheme?: 'http' | 'https' | false;
  name?: string | false;
  logo?: string | false;
  color?: string | false;
  rootUrl?: string | false;
  notFoundUrl?: string | false;
  goneUrl?: string | false;
  accounts?: string;
};
type RemoveOptions = ServerOptions & {
  keepLinks?: boolean;
  moveLinksTo?: string;
  forget?: boolean;
};

export function addDomains(program: CurtCommand, context: Context): void {
  const domains = program
    .command('domain')
    .description('manage the domains of short URLs, as the administrator');

  simpleCommands(context, connectAsAdmin).list(domains, 'list', {
    description: 'list domains, also removed ones',
    examples: ['curt domain list', 'curt domain list --json | jq -r ".data[].host"'],
    read: (client) => client.adminListDomains(),
    header: ['HOST', 'STATE', 'ACCOUNTS', 'NAME', 'ROOT'],
    toCells: ({ host, removed, isDefault, accounts, brand, rootUrl }) => [
      host,
      removed ? 'removed' : isDefault ? 'default' : 'in use',
      accounts === 'all' ? accounts : String(accounts.length),
      brand?.name ?? '',
      rootUrl ?? '',
    ],
  });

  withSettings(
    domains.command('add').description('add a domain, or one that was removed, as it was'),
  )
    .examples(
      'curt domain add go.example',
      'curt domain add shop.example --name "The Shop" --logo logo.svg --color "#0b6b57"',
    )
    .action(async (host: string, options: DomainOptions) => {
      const { client } = await connectAsAdmin(context, options);
      const body = await toRequest(options);
      const { data } = succeed(await client.adminAddDomain({ body: { host, ...body } }));
      context.output.result(data, `Added ${data.baseUrl}.`);
    });

  withResets(
    withSettings(domains.command('edit').description('change a domain; what you leave out stays')),
  )
    .examples(
      'curt domain edit go.example --not-found-url https://www.example.com/lost',
      'curt domain edit go.example --accounts yuwL3dWsfxQotmv2,Zr0kd93hQm1xAb4P --no-name',
    )
    .action(async (host: string, options: DomainOptions) => {
      const { client } = await connectAsAdmin(context, options);
      const all = succeed(await client.adminListDomains()).data;
      const before = all.find((domain) => domain.host === parseAuthority(host));
      const body = await toRequest(options, before?.brand);
      const { data } = succeed(await client.adminEditDomain({ host, body }));
      context.output.result(data, `Changed ${data.host}.`);
    });

  domains
    .command('remove')
    .description('remove a domain; no link is deleted')
    .argument('<host>', 'host of the domain')
    .option('--keep-links', 'its links answer 410 until it is added again')
    .option('--move-links-to <host>', 'move its links to another domain first')
    .option('--forget', 'as if it had never been added; only if it never had a link')
    .exclusive('keepLinks', 'moveLinksTo', 'forget')
    .serverOption()
    .examples(
      'curt domain remove go.example --keep-links',
      'curt domain remove go.example --move-links-to s.example',
      'curt domain remove typo.example --forget',
    )
    .action((host: string, options: RemoveOptions) => remove(context, host, options));
}

function withSettings(command: CurtCommand): CurtCommand {
  return command
    .argument('<host>', 'host of the domain, such as go.example')
    .choiceOption('--scheme <scheme>', 'scheme of its short URLs', ['http', 'https'])
    .option('--name <name>', 'name on its pages')
    .option('--logo <file>', 'logo on its pages, an SVG or PNG picture')
    .option('--color <color>', 'color of its pages, such as #0b6b57, or two for light and dark')
    .option('--root-url <url>', 'where its "/" leads')
    .option('--not-found-url <url>', 'where unknown aliases lead')
    .option('--gone-url <url>', 'where links that no longer work lead')
    .option('--accounts <ids>', 'who may use it: "all", or IDs separated by commas')
    .serverOption();
}

function withResets(command: CurtCommand): CurtCommand {
  for (const name of ['scheme', 'name', 'logo', 'color', 'root-url', 'not-found-url', 'gone-url']) {
    command.option(`--no-${name}`, `reset --${name}`);
  }
  return command;
}

/** @param brandBefore of which what the options leave out stays */
async function toRequest(
  { scheme, name, logo, color, rootUrl, notFoundUrl, goneUrl, accounts }: DomainOptions,
  brandBefore: AdminDomain['brand'] = null,
): Promise<EditDomainRequest> {
  const picture = typeof logo === 'string' ? await readPicture(logo) : logo;
  const brand = withoutUndefined({
    name: orNull(name),
    logo: orNull(picture),
    color: orNull(color),
  });
  return withoutUndefined({
    scheme: orNull(scheme),
    brand: Object.keys(brand).length > 0 ? { ...brandBefore, ...brand } : undefined,
    rootUrl: orNull(rootUrl),
    notFoundUrl: orNull(notFoundUrl),
    goneUrl: orNull(goneUrl),
    accounts: accounts === 'all' ? ('all' as const) : accounts?.split(','),
  });
}

/** The server decides whether it is one. */
async function readPicture(path: string): Promise<string> {
  const content = await readFile(path).catch((error: Error) => {
    throw usageError(`${path} cannot be read: ${error.message}`);
  });
  const type = path.toLowerCase().endsWith('.png') ? 'png' : 'svg+xml';
  return `data:image/${type};base64,${content.toString('base64')}`;
}

async function remove(context: Context, host: string, options: RemoveOptions): Promise<void> {
  const { forget } = options;
  const { client } = await connectAsAdmin(context, options);
  const query = toQuery(options);
  let moved = 0;
  for (;;) {
    // If it is interrupted, the same command continues.
    const { data } = succeed(
      withOptions(await client.adminRemoveDomain({ host, ...query }), forget),
    );
    moved += data.moved;
    const report = { ...data, moved };
    if (data.isRemoved) return context.output.result(report, toLines(host, report));
    context.output.note(`Links moved: ${moved}`);
  }
}

function toQuery({ keepLinks, moveLinksTo, forget }: RemoveOptions) {
  if (forget) return { forget: true };
  if (moveLinksTo !== undefined) return { links: 'move', to: moveLinksTo } as const;
  return keepLinks ? ({ links: 'keep' } as const) : {};
}

/** The API's message names its own parameters. */
function withOptions<T>(removed: Result<T>, forget = false): Result<T> {
  if (removed.ok || removed.code !== 'domain_in_use' || forget) return removed;
  const message = `${removed.message} Choose with --keep-links or --move-links-to <host>.`;
  return { ...removed, message };
}

function toLines(host: string, report: RemoveDomainResponse['data']): string[] {
  const { moved, stayed, stayedCount } = report;
  return [
    `Removed ${host}.`,
    ...(moved > 0 ? [`Links moved: ${moved}`] : []),
    ...(stayedCount > 0 ? [`Links that could not be moved, and answer 410: ${stayedCount}`] : []),
    ...stayed.map(({ shortUrl, code }) => `${shortUrl}  ${code}`),
  ];
}
