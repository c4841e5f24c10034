import { EXPIRY_MAX_YEARS } from '../../../shared/limits.ts';
import type { ImportedRow, ImportSource } from '../../../shared/links/transfer.ts';
import type { Settings } from '../../config.ts';
import { isReserved } from '../../lib/reserved-aliases.ts';
import { createYielder } from '../../lib/yield-to-others.ts';
import { decideAdd } from '../../store/rules/add-link.ts';
import type { AliasState } from '../../store/rules/aliases.ts';
import { measure } from '../../store/rules/size.ts';
import type { Store } from '../../store/store.ts';
import { EXPIRY_MAX_MS } from '../expiry.ts';
import { findForbiddenTarget, type TargetDependencies } from '../forbidden-target.ts';
import { TARGETS_TOO_LONG } from '../targets-too-long.ts';
import { toImportKey } from './import-key.ts';
import type { KnownRows } from './known-rows.ts';
import { type PlacedLink, type PlacedRow, UNUSABLE } from './place-link.ts';
import { toLinkFields } from './to-new-link.ts';

/** A report has up to 10,000 messages. */
const MESSAGE_MAX_CHARACTERS = 300;

/** Why a row adds no link. */
export const IMPORTED_BEFORE = 'Was imported before.';

const NOT_CHECKED_DRY =
  'Not checked: whether others have its aliases was told for too many rows. An import finds out.';

const NOT_CHECKED =
  'Not checked: others have too many of the aliases. Import the file again in an hour.';

const COUNTRY_UNKNOWN =
  'Its rules with a country never hold, because this server does not know the country of visitors: ask the operator to set COUNTRY_HEADER.';

const CONTAINER_LEFT_OUT =
  'Its Tag Manager container is left out, because this server does not allow any.';

/** What is to become of a row. */
export type PlannedRow = ImportedRow & {
  /** The link to add, if there is one. */
  add?: { link: PlacedLink; importKey: string };
};

export type PlanOptions = TargetDependencies & {
  settings: Pick<Settings, 'countryHeader' | 'customGtm'>;
  source: ImportSource;
  accountId: string;
  store: Store;
  now: number;
  /** Links and previous aliases that the account can import in total. */
  maxLinks: number;
  known: KnownRows;
  /** Nothing else tells whether others have an alias. */
  isDryRun: boolean;
  /** Whether so many answers about aliases of others may be given. */
  pay: (count: number) => boolean;
};

/**
 * Decides what becomes of each row, in the order of creation, so that of two links with one alias the
 * older one keeps it. Changes nothing: a dry run reports the plan, and an import carries it out.
 */
export async function planImport(rows: PlacedRow[], options: PlanOptions): Promise<PlannedRow[]> {
  const { settings, source, accountId, store, now, maxLinks, known, isDryRun, pay } = options;
  let used = (await store.countLinks(accountId, now)).imported;
  /** Rows of this file, by what later ones must not repeat. */
  const rowsByKey = new Map<string, number>();
  const rowsByAlias = new Map<string, number>();
  const yieldToOthers = createYielder();

  /** Once it is false, no row tells anything about aliases of others. */
  let isChecking = true;

  const plan: PlannedRow[] = [];
  for (const row of [...rows].sort(byCreation)) {
    plan.push('problem' in row ? failed(row.row, row.problem) : await planRow(row.row, row.link));
    await yieldToOthers();
  }
  return plan;

  async function planRow(row: number, link: PlacedLink): Promise<PlannedRow> {
    const importKey = toImportKey(source, link);
    const earlier = rowsByKey.get(importKey);
    if (earlier !== undefined) return duplicate(row, `The same link is in row ${earlier}.`);
    const existing = await findSame(link);
    if (existing) {
      const message = existing.deletedAt
        ? 'The account has deleted this link. Restore it instead.'
        : 'The account has this link already.';
      return duplicate(row, message, existing.alias);
    }
    if (known.importKeys.has(importKey)) return duplicate(row, IMPORTED_BEFORE);
    const forbidden = findForbiddenTarget(link, options);
    if (forbidden) return failed(row, `${forbidden.path}: ${forbidden.message}`);
    if (link.expiresAt !== null && link.expiresAt > now + EXPIRY_MAX_MS) {
      return failed(row, `expiresAt: Must be at most ${EXPIRY_MAX_YEARS} years ahead.`);
    }
    if (!mayTell(link)) {
      if (!isDryRun) return failed(row, NOT_CHECKED);
      return { row, status: 'imported', alias: link.storedAlias ?? null, message: NOT_CHECKED_DRY };
    }
    const problem = checkAlias(link);
    const alias = problem === undefined ? (link.storedAlias ?? null) : null;
    const content = toLinkFields({ link, importKey, accountId, now });
    const size = measure({ ...content, id: '', alias: alias ?? '' });
    if (size.hasTooLongTargets) return failed(row, TARGETS_TOO_LONG);
    const { units } = size;
    const decision = decideAdd(
      { link: { ...link, importKey }, quota: maxLinks },
      { alias: alias ?? '', stateOf, used, units },
    );
    if (decision.kind !== 'add') return failed(row, tooManyImported(maxLinks, units));

    const { previousAliases, cost } = decision;
    used += cost;
    rowsByKey.set(importKey, row);
    for (const each of [alias ?? '', ...previousAliases]) rowsByAlias.set(each.toLowerCase(), row);
    const notes = problem === undefined ? [...link.notes] : [problem, ...link.notes];
    if (!settings.countryHeader && link.rules.some(({ country }) => country !== undefined)) {
      notes.push(COUNTRY_UNKNOWN);
    }
    const customGtmId = settings.customGtm === 'off' ? null : link.customGtmId;
    if (customGtmId !== link.customGtmId) notes.push(CONTAINER_LEFT_OUT);
    const left = link.previousAliases.length - previousAliases.length;
    if (left > 0) notes.push(`${left} previous aliases are not available.`);
    return {
      row,
      status: problem === undefined ? 'imported' : 'renamed',
      alias,
      message: notes.join(' ').slice(0, MESSAGE_MAX_CHARACTERS),
      add: { link: { ...link, previousAliases, customGtmId }, importKey },
    };
  }

  /** The account's own link with the same alias that was made at the same time or has the same target. */
  async function findSame({ storedAlias, unusableAlias, originalUrl, created }: PlacedLink) {
    for (const alias of [storedAlias, unusableAlias]) {
      if (alias === undefined || known.aliasStates.get(alias.toLowerCase()) !== 'taken') continue;
      const link = await store.findLink(alias);
      if (link?.accountId !== accountId) continue;
      if (link.created === created || link.targetUrl === originalUrl.url.href) return link;
    }
    return undefined;
  }

  /**
   * Whether the row may say who has its aliases. What an import makes tells nothing of others, because it has the
   * aliases then; a dry run tells both.
   */
  function mayTell({ storedAlias, previousAliases }: PlacedLink): boolean {
    const states = [storedAlias ?? UNUSABLE, ...previousAliases]
      .map((each) => each.toLowerCase())
      .filter((key) => key !== UNUSABLE && !isReserved(key) && !rowsByAlias.has(key))
      .map((key) => known.aliasStates.get(key))
      .filter((state) => state !== 'own');
    if (states.length === 0) return true;
    const told = isDryRun ? states : states.filter((state) => state === 'taken');
    isChecking &&= pay(told.length);
    return isChecking;
  }

  /** @returns why the link can't have its alias */
  function checkAlias({ alias, storedAlias }: PlacedLink): string | undefined {
    if (storedAlias === undefined) {
      return alias === ''
        ? undefined
        : 'The alias has characters or a length that Curt does not allow.';
    }
    if (stateOf(storedAlias) !== 'taken') return undefined;
    if (isReserved(alias)) return `The alias "${alias}" is reserved for the server.`;
    const sameAlias = rowsByAlias.get(storedAlias.toLowerCase());
    return sameAlias === undefined
      ? `The alias "${alias}" is already taken.`
      : `Row ${sameAlias} has the alias "${alias}", too.`;
  }

  /** @param alias as the store has it. An empty one is generated. */
  function stateOf(alias: string): AliasState {
    if (alias === '') return 'unused';
    const key = alias.toLowerCase();
    if (isReserved(alias) || rowsByAlias.has(key)) return 'taken';
    return known.aliasStates.get(key) ?? 'taken';
  }
}

/** Why a link is not imported. */
export function tooManyImported(maxLinks: number, units = 1): string {
  const size = units > 1 ? ` It counts as ${units}, because each started 4 KiB counts as one.` : '';
  return `With this link, the account would have imported more than ${maxLinks} links and previous aliases, the most that it can import.${size}`;
}

/** Links without a date are new. */
function byCreation(a: PlacedRow, b: PlacedRow): number {
  return creation(a) - creation(b) || a.row - b.row;
}

function creation(row: PlacedRow): number {
  return ('link' in row ? row.link.created : null) ?? Number.MAX_SAFE_INTEGER;
}

function failed(row: number, message: string): PlannedRow {
  return { row, status: 'failed', alias: null, message };
}

function duplicate(row: number, message: string, alias: string | null = null): PlannedRow {
  return { row, status: 'duplicate', alias, message };
}
