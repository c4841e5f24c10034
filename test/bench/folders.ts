import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashToken } from '../../server/accounts/tokens.ts';
import { headerLine } from '../../server/store/json-file/files/generations.ts';
import { toLine } from '../../server/store/json-file/files/line-file.ts';

const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const URL_CHARACTERS = 84;
const LINES_A_BATCH = 500;

export const ACCOUNT_ID = 'the-only-account';
export const TOKEN = `curt_${'A'.repeat(43)}`;

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'curt-bench-'));
}

/** The aliases of the first links that `fillFolder` creates. */
export function aliasOf(number: number): string {
  let alias = '';
  // The multiplier is coprime, so that every alias occurs once, in scattered order.
  let rest = (number * 7_368_787 + 12_345) % 31 ** 7;
  for (let digit = 0; digit < 7; digit++) {
    alias += ALPHABET[rest % 31];
    rest = Math.floor(rest / 31);
  }
  return alias;
}

/** One link of each other kind, by alias. Every folder contains them. */
const OTHER_KINDS = [
  { alias: 'secret', passwordHash: '$argon2id$' },
  { alias: 'preview', waitTimer: 5, title: 'A title', description: 'A description' },
];

/**
 * Creates a data folder with this many plain links in one account, with URLs of 84 characters.
 *
 * @param wasteBytes per line: the size of an expired idempotency key
 * @param describe other fields of each link
 */
export function fillFolder(
  links: number,
  wasteBytes = 0,
  describe: (number: number) => object = () => ({}),
): string {
  const folder = newFolder();
  const file = openSync(join(folder, 'journal-000001.jsonl'), 'w');
  let offset = writeSync(file, headerLine('journal', 1, 0));
  const created = Date.UTC(2026, 0, 1);
  const token = { id: ACCOUNT_ID, accountId: ACCOUNT_ID, created };
  const first = { accountId: ACCOUNT_ID, originalUrl: 'https://example.com/', created };
  const others = OTHER_KINDS.map(({ alias, ...kind }) => {
    return ['link', `the-link-${alias}`, { alias, ...first, ...kind }];
  });
  offset += writeSync(
    file,
    others.map((link) => toLine({ batch: offset, records: [link] })).join(''),
  );
  for (let number = 0; number < links; ) {
    const lines: string[] = [];
    for (; lines.length < LINES_A_BATCH && number < links; number++) {
      const alias = aliasOf(number);
      const id = randomBytes(12).toString('base64url');
      const link = {
        alias,
        accountId: ACCOUNT_ID,
        originalUrl: `https://example.com/${alias}/`.padEnd(URL_CHARACTERS, alias),
        created: created + number,
        ...describe(number),
      };
      const keyHash = `${number}`.padEnd(wasteBytes, '.');
      const key = { bodyHash: '', tokenSalt: null, linkId: id, created };
      const records = [
        ...(number === 0
          ? [
              ['account', ACCOUNT_ID, { created }],
              ['token', hashToken(TOKEN), token],
            ]
          : []),
        ['link', id, link],
        ...(wasteBytes > 0 ? [['idempotencyKey', keyHash, key]] : []),
      ];
      lines.push(toLine({ batch: offset, records }));
    }
    offset += writeSync(file, lines.join(''));
  }
  closeSync(file);
  return folder;
}
