import type { IndexedLink } from '../../records/link-json.ts';
import { membersEnd } from './checked-line.ts';
import type { LoadedRecord } from './line-record.ts';

const BATCH = '{"batch":';
const LINK = '"link":{"id":"';
const ALIAS = '","alias":"';
const ACCOUNT = '","accountId":"';
const URL = '","originalUrl":"';
const CREATED = '","created":';
const [BACKSLASH, COMMA, CLOSING_BRACE, ZERO, NINE] = [0x5c, 0x2c, 0x7d, 0x30, 0x39];

/**
 * Reads a line that adds a link and nothing else, without parsing most of it: a folder with a million
 * links opens in two thirds of the time. The members have the order in which `toLinkJson` writes them;
 * ids and aliases are ASCII and contain nothing to escape.
 *
 * @param text `bytes` as Latin-1, so that positions are the same. The line must be intact.
 * @param end the position of its line feed
 * @returns undefined for any other line, which must be parsed
 */
export function readLinkLine(
  text: string,
  bytes: Buffer,
  start: number,
  end: number,
): LoadedRecord | undefined {
  let at = start + 1;
  let batch: number | undefined;
  if (text.startsWith(BATCH, start)) {
    at = endOfDigits(text, start + BATCH.length);
    batch = Number(text.slice(start + BATCH.length, at));
    if (text.charCodeAt(at++) !== COMMA) return undefined;
  }
  if (!text.startsWith(LINK, at)) return undefined;
  const idAt = at + LINK.length;
  const aliasAt = afterString(text, idAt, ALIAS);
  const accountAt = afterString(text, aliasAt, ACCOUNT);
  const urlAt = afterString(text, accountAt, URL);
  const createdAt = afterString(text, urlAt, CREATED);
  if (createdAt === NOT_FOUND) return undefined;
  const createdEnd = endOfDigits(text, createdAt);
  const linkEnd = membersEnd(end);
  const next = text.charCodeAt(createdEnd);
  if (createdEnd === createdAt || (next !== COMMA && next !== CLOSING_BRACE)) return undefined;
  const link: IndexedLink = {
    id: text.slice(idAt, aliasAt - ALIAS.length),
    alias: text.slice(aliasAt, accountAt - ACCOUNT.length),
    accountId: text.slice(accountAt, urlAt - URL.length),
    created: Number(text.slice(createdAt, createdEnd)),
  };
  if (next === COMMA) {
    Object.assign(link, JSON.parse(`{${bytes.toString('utf8', createdEnd + 1, linkEnd)}`));
  }
  return batch === undefined ? { link } : { batch, link };
}

const NOT_FOUND = -1;

/** @returns where `next` ends, which follows the string that begins at `at`; strings with escapes are not found */
function afterString(text: string, at: number, next: string): number {
  if (at === NOT_FOUND) return NOT_FOUND;
  const quote = text.indexOf('"', at);
  const isEscaped = text.charCodeAt(quote - 1) === BACKSLASH;
  return !isEscaped && text.startsWith(next, quote) ? quote + next.length : NOT_FOUND;
}

function endOfDigits(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (!(code >= ZERO && code <= NINE)) return at;
    at++;
  }
}
