import { existsSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { BATCH_LINKS_MAX } from '../../../shared/bounds.ts';
import type { CreatedLinkRecord, LinkRecord } from '../../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import { readTypedUrl } from '../../../shared/links/url-in-text.ts';
import { type Connection, checkToken, connect, type ServerOptions } from '../api/connect.ts';
import { CliError, succeed, usageError } from '../cli-error.ts';
import { type CurtCommand, parseHeader, withoutUndefined } from '../command.ts';
import type { Context } from '../context.ts';
import { type LinkOptions, toFields, withLinkOptions } from './link-options.ts';

type ShortenOptions = LinkOptions &
  ServerOptions & { qr?: string; idempotencyKey?: string; reuse?: true; copy?: true };

type Fields = Omit<ShortenRequest, 'originalUrl'>;

/** The argument that stands for standard input. */
const STANDARD_INPUT = '-';
/** The longest body of one request. 256 KiB are allowed. */
const BATCH_MAX_CHARACTERS = 60_000;

/** A line of standard input. */
type Line = { line: number; url: string };
type LineResult = Line & ({ data: LinkRecord } | { code: string; message: string });

export function addShorten(program: CurtCommand, context: Context): void {
  const command = program
    .command('shorten')
    .description('create a short link and print it')
    .argument(
      '[url]',
      'URL to shorten; without one, or with "-", each line of standard input is one',
    );
  withLinkOptions(command)
    .serverOption()
    .option(
      '--reuse',
      'print the link that you have for this URL and these options, if there is one',
    )
    .option('--copy', 'also copy the short URL to the clipboard')
    .option('--qr <file>', 'write the QR code of the short URL to a PNG file')
    .option(
      '--idempotency-key <key>',
      'repeating the command with this key and the same token creates no second link',
      parseHeader,
    )
    .examples(
      'curt shorten example.com/a/long/page',
      'curt shorten example.com --alias launch --expires-in 7d --tag news --tag 2030',
      'curt shorten example.com --password - --qr code.png',
      'curt shorten --tag news < urls.txt > short-urls.txt',
    )
    .action(async (url: string | undefined, options: ShortenOptions) => {
      if (url !== undefined && url !== STANDARD_INPUT) return shorten(context, url, options);
      const lines = await readLines(options);
      const [first] = lines;
      if (first && lines.length === 1) return shorten(context, first.url, options);
      return shortenLines(context, lines, options);
    });
}

async function shorten(context: Context, url: string, options: ShortenOptions): Promise<void> {
  const { qr, idempotencyKey } = options;
  const connection = await connect(context, options);
  const request = { originalUrl: readTypedUrl(url), ...(await fieldsOf(options)) };
  if (qr !== undefined) {
    await assertWritable(qr);
    request.generateQR = true;
  }
  const data = await createLink(context, connection, request, idempotencyKey);
  const [, qrCode] = data.qrCode?.split(',') ?? [];
  if (qr !== undefined && qrCode !== undefined) {
    await writeFile(qr, Buffer.from(qrCode, 'base64')).catch((error: Error) => {
      throw unwritable(qr, error, data);
    });
  }
  context.output.result(withoutToken(data), data.shortUrl);
  if (options.copy) await copy(context, data.shortUrl);
}

/** Shortens each line by itself, and prints one short URL a line. What fails goes to standard error. */
async function shortenLines(
  context: Context,
  lines: Line[],
  options: ShortenOptions,
): Promise<void> {
  const { output } = context;
  if (options.alias !== undefined || options.qr !== undefined || options.idempotencyKey) {
    throw usageError('--alias, --qr and --idempotency-key are for one URL, and not for many.');
  }
  const connection = await connect(context, options);
  const fields = await fieldsOf(options);
  const results: LineResult[] = [];
  const report = (result: LineResult) => {
    results.push(result);
    if (output.json) return;
    if ('data' in result) output.result(result.data, result.data.shortUrl);
    else output.note(`Line ${result.line}: ${result.url}: ${result.message}`);
  };
  let rest = lines;
  // The others belong to the account of the first one.
  let token = connection.token && checkToken(connection.token);
  for (; token === undefined && rest.length > 0; rest = rest.slice(1)) {
    const [line] = rest as [Line];
    try {
      const request = { originalUrl: readTypedUrl(line.url), ...fields };
      const data = await createLink(context, connection, request);
      token = data.authToken;
      report({ ...line, data: withoutToken(data) });
    } catch (error) {
      if (!(error instanceof CliError) || error.exit === 'unreachable') throw error;
      report({ ...line, code: error.code, message: error.message });
    }
  }
  for (const part of token === undefined ? [] : partsOf(rest, fields)) {
    const requests = part.map(({ url }) => ({ originalUrl: readTypedUrl(url), ...fields }));
    const answer = await connection.client.createLinks({ body: requests, token: token as string });
    for (const [index, line] of part.entries()) {
      const result = answer.ok ? answer.data[index] : answer;
      if (result && 'data' in result) report({ ...line, data: result.data });
      else if (result) report({ ...line, code: result.code, message: result.message });
    }
  }
  const created = results.flatMap((result) => ('data' in result ? [result.data] : []));
  if (options.copy && created.length > 0) {
    await copy(context, created.map(({ shortUrl }) => shortUrl).join('\n'));
  }
  const failed = results.length - created.length;
  if (failed > 0) {
    const message = `Links created: ${created.length}. Lines that failed: ${failed}.`;
    throw new CliError('lines_failed', message, 'failed', { report: results });
  }
  if (output.json) output.result(results, []);
}

/** Each part fits into one request. */
function partsOf(lines: Line[], fields: Fields): Line[][] {
  const parts: Line[][] = [];
  const fieldCharacters = JSON.stringify(fields).length;
  let characters = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const length = line.url.length + fieldCharacters;
    const last = parts.at(-1);
    if (last && last.length < BATCH_LINKS_MAX && characters + length <= BATCH_MAX_CHARACTERS) {
      last.push(line);
      characters += length;
    } else {
      parts.push([line]);
      characters = length;
    }
  }
  return parts;
}

/** @throws CliError if there is none */
async function readLines({ password }: ShortenOptions): Promise<Line[]> {
  if (password === STANDARD_INPUT) {
    throw usageError('With --password -, standard input is the password. Name the URL.');
  }
  const input = process.stdin.isTTY ? '' : decode(await buffer(process.stdin));
  const lines = input
    .split(/\r?\n/)
    .map((url, index) => ({ line: index + 1, url: url.trim() }))
    .filter(({ url }) => url !== '');
  if (lines.length > 0) return lines;
  throw usageError('Name a URL, or send one a line to standard input. See `curt shorten --help`.');
}

/** @throws CliError if it is not UTF-8: a replaced character would be part of a wrong link */
function decode(bytes: Buffer): string {
  // PowerShell writes UTF-16 into files.
  const mark = bytes.subarray(0, 2).toString('hex');
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw usageError('Standard input is not text in UTF-8. Nothing was created. Save it as UTF-8.');
  }
}

async function fieldsOf(options: ShortenOptions): Promise<Fields> {
  const { reuse } = options;
  return { ...(await toFields(options)), ...withoutUndefined({ reuse }) } as Fields;
}

/** Creates a link, and keeps the token of an account that was created with it. @throws CliError */
async function createLink(
  context: Context,
  connection: Connection,
  request: ShortenRequest,
  idempotencyKey?: string,
): Promise<CreatedLinkRecord> {
  const token = connection.token && checkToken(connection.token);
  const { data } = succeed(
    await connection.client.createLink({ body: request, token, idempotencyKey }),
  );
  if (token === undefined) await saveToken(context, connection, data.authToken);
  return data;
}

async function copy({ output }: Context, content: string): Promise<void> {
  const { copyText } = await import('../terminal/clipboard.ts');
  if (await copyText(content)) output.note('Copied.');
  else output.warn('Not copied: there is no clipboard that this command can use.');
}

/** Before the link is created, because nobody repeats a command that has created one. */
async function assertWritable(path: string): Promise<void> {
  try {
    const isNew = !existsSync(path);
    const file = await open(path, 'a');
    await file.close();
    if (isNew) await rm(path);
  } catch (error) {
    throw unwritable(path, error as Error);
  }
}

function unwritable(path: string, error: Error, link?: CreatedLinkRecord): CliError {
  const created = link ? ` The link was created: ${link.shortUrl}` : '';
  const message = `${path} cannot be written: ${error.message}.${created}`;
  return new CliError('unwritable_file', message, link ? 'failed' : 'usage', {
    ...(link && { report: withoutToken(link) }),
  });
}

/** Stores the token of a new account, without which nobody could edit the link. */
async function saveToken(
  { environment, output }: Context,
  { server, save }: Connection,
  token: string,
): Promise<void> {
  try {
    if (await save({ token })) {
      const path = environment.credentialsPath;
      output.note(`${server} created an account for you. Its token is in ${path}.`);
    } else {
      output.warn(
        `${server} created an account for this link, but another command has stored the token of another account meanwhile. Keep this one: ${token}`,
      );
    }
  } catch (error) {
    output.warn(
      `The token of your new account could not be stored: ${(error as Error).message}. Keep it: ${token}`,
    );
  }
}

/** A record without the account's token: output ends up in logs. */
function withoutToken(record: CreatedLinkRecord): LinkRecord {
  const { authToken: _, newAuthToken: __, isReused: ___, ...rest } = record;
  return rest;
}
