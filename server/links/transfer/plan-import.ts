import { EXPIRY_MAX_YEARS, TAGS_MAX } from '../../../shared/limits.ts';
import type { ImportedRow, ImportField } from '../../../shared/links/transfer.ts';
import { foldTag } from '../../../shared/text.ts';
import type { Settings } from '../../config.ts';
import { isReserved } from '../../domains/named-domain.ts';
import { createYielder } from '../../lib/yield-to-others.ts';
import { type Link, measure } from '../../store/link.ts';
import type { LinkChanges } from '../../store/link-calls.ts';
import { decideAdd } from '../../store/rules/add-link.ts';
import type { AliasState } from '../../store/rules/aliases.ts';
import type { Store } from '../../store/store.ts';
import {
  findForbiddenTarget,
  TARGETS_TOO_LONG,
  type TargetDependencies,
} from '../allowed-targets.ts';
import { EXPIRY_MAX_MS, startsBeforeExpiry } from '../expiry.ts';
import type { DeletedLinks } from './import-status.ts';
import type { Row, RowIssue } from './meaning/to-link.ts';
import {
  type PlacedLink,
  type PlacedRow,
  placeRow,
  toImportKey,
  toLinkFields,
  toRowChanges,
  UNUSABLE,
} from './placed-link.ts';

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
export type PlannedRow = Pick<ImportedRow, 'row' | 'status' | 'source' | 'issues'> & {
  /** As the store has it; null if there is none yet. */
  storedAlias: string | null;
  isRestorable?: boolean;
  /** The link to add, if there is one. */
  add?: {
    link: PlacedLink;
    importKey: string;
    /** What an undo has deleted, and is in the way: it is erased first. */
    replaces: readonly Link[];
  };
  /** What to change of the link that is there. */
  changes?: LinkChanges;
};

type PlanOptions = TargetDependencies & {
  /** `importMaxLinks` counts links and previous aliases. */
  settings: Pick<Settings, 'countryHeader' | 'customGtm' | 'importMaxLinks'>;
  accountId: string;
  importId: string;
  deleted: DeletedLinks;
  store: Store;
  now: number;
  /** Awaited now and then, see `createYielder`. */
  nextTurn: () => Promise<void>;
  /** Fields that the file has. */
  given: ReadonlySet<ImportField>;
  /** Whether rows change links that are there. */
  isUpdate: boolean;
  /** Nothing else tells whether others have an alias. */
  isDryRun: boolean;
  /** Whether so many answers about aliases of others may be given. */
  pay: (count: number) => boolean;
};

/**
 * Decides what becomes of each row, in the order of creation, so that of two links with one alias the
 * older one keeps it. Changes nothing: a dry run reports the plan, and an import carries it out.
 */
export async function planImport(read: Row[], options: PlanOptions): Promise<PlannedRow[]> {
  const { settings, accountId, importId, store, domains, now, isDryRun, pay, deleted } = options;
  const { undone } = deleted;
  const { importMaxLinks: maxLinks } = settings;
  const yieldToOthers = createYielder(options.nextTurn);
  const rows: PlacedRow[] = [];
  for (const row of read) {
    rows.push(placeRow(row, accountId, domains));
    await yieldToOthers();
  }
  const known = await readKnownRows(rows, options);
  let used = (await store.countLinks(accountId, now)).imported;
  /** Rows of this file, by what later ones must not repeat. */
  const rowsByKey = new Map<string, { row: number; link: PlacedLink }>();
  const rowsByAlias = new Map<string, number>();
  /** Once it is false, no row tells anything about aliases of others. */
  let isChecking = true;

  const plan: PlannedRow[] = [];
  for (const row of rows.sort(byCreation)) {
    const { link, ...rest } = row;
    plan.push(link ? await planRow(rest, link) : { ...rest, status: 'failed', storedAlias: null });
    await yieldToOthers();
  }
  return plan;

  async function planRow(row: Omit<PlacedRow, 'link'>, link: PlacedLink): Promise<PlannedRow> {
    const failed = (...issues: RowIssue[]): PlannedRow => {
      return { ...row, status: 'failed', storedAlias: null, issues };
    };
    const duplicate = (message: string, existing?: Link): PlannedRow => {
      const issues = [{ field: null, message }];
      return { ...row, status: 'duplicate', storedAlias: existing?.alias ?? null, issues };
    };
    const restorable = (existing: Link): PlannedRow => {
      const message = 'The account has deleted this link. Restore it instead.';
      return { ...duplicate(message, existing), isRestorable: true };
    };
    const importKey = toImportKey(link);
    const earlier = rowsByKey.get(importKey);
    if (earlier) {
      const end = addTags(earlier.link, link);
      return duplicate(`The same link is in row ${earlier.row}${end}`);
    }
    const found = await findSame(link);
    const existing = found && isUndone(found) ? undefined : found;
    if (existing?.deletedAt) return restorable(existing);
    if (existing) return planExisting(row, link, existing);
    const undoneKey = undone.byImportKey.get(importKey);
    // Without an alias in the file, nothing else leads to it.
    const inTrash = deleted.byImportKey.get(importKey);
    if (inTrash) return restorable(inTrash);
    if (known.importKeys.has(importKey) && !undoneKey) return duplicate(IMPORTED_BEFORE);
    const problems = findProblems(link);
    if (problems.length > 0) return failed(...problems);
    if (!mayTell(link)) {
      if (!isDryRun) return failed({ field: null, message: NOT_CHECKED });
      const issues = [{ field: null, message: NOT_CHECKED_DRY }];
      return { ...row, status: 'imported', storedAlias: link.storedAlias ?? null, issues };
    }
    const problem = checkAlias(link);
    const alias = problem === undefined ? (link.storedAlias ?? null) : null;
    const content = toLinkFields({ link, importKey, importId, accountId, now });
    const size = measure({ ...content, id: '', alias: alias ?? '' });
    if (size.hasTooLongTargets) return failed({ field: null, message: TARGETS_TOO_LONG });
    const { units } = size;
    const decision = decideAdd(
      { link: { ...link, importKey }, quota: maxLinks },
      { alias: alias ?? '', stateOf, used, units },
    );
    if (decision.kind !== 'add') {
      return failed({ field: null, message: tooManyImported(maxLinks, units) });
    }

    const { previousAliases, cost } = decision;
    used += cost;
    const replaces = new Set(undoneKey && [undoneKey]);
    for (const each of [alias ?? '', ...previousAliases]) {
      rowsByAlias.set(each.toLowerCase(), row.row);
      const replaced = undone.byAlias.get(each.toLowerCase());
      if (replaced) replaces.add(replaced);
    }
    const issues = [...row.issues];
    if (problem !== undefined) issues.unshift({ field: 'alias', message: problem });
    if (!settings.countryHeader && link.rules.some(({ country }) => country !== undefined)) {
      issues.push({ field: 'rules', message: COUNTRY_UNKNOWN });
    }
    const customGtmId = settings.customGtm === 'off' ? null : link.customGtmId;
    if (customGtmId !== link.customGtmId) {
      issues.push({ field: 'customGtmId', message: CONTAINER_LEFT_OUT });
    }
    const left = link.previousAliases.length - previousAliases.length;
    if (left > 0) {
      const message = `${left} previous aliases are not available.`;
      issues.push({ field: 'previousAliases', message });
    }
    const added = { ...link, previousAliases, customGtmId };
    rowsByKey.set(importKey, { row: row.row, link: added });
    return {
      ...row,
      status: problem === undefined ? 'imported' : 'renamed',
      storedAlias: alias,
      issues,
      add: { link: added, importKey, replaces: [...replaces] },
    };
  }

  function isUndone({ id, alias }: Link): boolean {
    return undone.byAlias.get(alias.toLowerCase())?.id === id;
  }

  function planExisting(
    row: Omit<PlacedRow, 'link'>,
    link: PlacedLink,
    existing: Link,
  ): PlannedRow {
    const isProtected = row.isPausedForPassword && existing.passwordHash !== null;
    const said = isProtected ? { ...link, isActive: true } : link;
    const content = toLinkFields({ link: said, importKey: '', importId, accountId, now });
    const changes = toRowChanges(content, existing, options.given);
    const notes = notesOn(row, changes);
    if (settings.customGtm === 'off' && changes.customGtmId) {
      delete changes.customGtmId;
      notes.push({ field: 'customGtmId', message: CONTAINER_LEFT_OUT });
    }
    const names = Object.keys(changes).filter((name) => name !== 'targetUrl');
    const planned = { ...row, storedAlias: existing.alias };
    const there = { field: null, message: 'The account has this link already.' };
    if (names.length === 0) return { ...planned, status: 'duplicate', issues: [there, ...notes] };
    const differences = names.join(', ');
    if (!options.isUpdate) {
      const message = `It differs in ${differences}; an import changes nothing unless it updates existing links.`;
      const issues = [there, { field: null, message }, ...notes];
      return { ...planned, status: 'duplicate', issues };
    }
    const problems = findProblems(link);
    const { startsAt = existing.startsAt, expiresAt = existing.expiresAt } = changes;
    const isOtherPeriod = startsAt !== existing.startsAt || expiresAt !== existing.expiresAt;
    if (isOtherPeriod && !startsBeforeExpiry({ startsAt, expiresAt })) {
      problems.push({ field: 'startsAt', message: 'The link would expire before it starts.' });
    }
    if (problems.length > 0) return { ...planned, status: 'failed', issues: problems };
    const message = `Changed: ${differences}.`;
    const issues = [{ field: null, message }, ...notes];
    return { ...planned, status: 'updated', issues, changes };
  }

  /** What a spreadsheet has made of the alias, and why the link is paused, if that is a change. */
  function notesOn({ issues }: Omit<PlacedRow, 'link'>, changes: LinkChanges): RowIssue[] {
    const isPausing = changes.isActive === false;
    return issues.filter(({ field }) =>
      isPausing ? field !== null && field !== 'domain' : field === 'alias',
    );
  }

  /** All that keeps the server from having the link. */
  function findProblems(link: PlacedLink): RowIssue[] {
    const problems: RowIssue[] = [];
    const forbidden = findForbiddenTarget(link, options);
    if (forbidden) problems.push({ field: forbidden.path, message: forbidden.message });
    if (link.expiresAt !== null && link.expiresAt > now + EXPIRY_MAX_MS) {
      const message = `Must be at most ${EXPIRY_MAX_YEARS} years ahead.`;
      problems.push({ field: 'expiresAt', message });
    }
    return problems;
  }

  /**
   * The account's own link with the same alias that has the ID of the row, was made at the same time or has the
   * same target.
   */
  async function findSame({ id, storedAlias, unusableAlias, originalUrl, created }: PlacedLink) {
    for (const alias of [storedAlias, unusableAlias]) {
      if (alias === undefined || known.aliasStates.get(alias.toLowerCase()) !== 'taken') continue;
      const link = await store.findLink(alias);
      if (link?.accountId !== accountId) continue;
      if (link.id === id || link.created === created) return link;
      if (link.targetUrl === originalUrl.url.href) return link;
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
      .filter((key) => !undone.byAlias.has(key))
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
    if (undone.byAlias.has(key)) return 'own';
    return known.aliasStates.get(key) ?? 'taken';
  }
}

/**
 * Adds the tags of a row with the same link: some programs export a bookmark once for each folder or tag.
 *
 * @returns the end of the sentence that says so
 */
function addTags(link: PlacedLink, { tags }: PlacedLink): string {
  const known = new Set(link.tags.map(foldTag));
  const others = tags.filter((tag) => !known.has(foldTag(tag)));
  if (others.length === 0) return '.';
  const all = [...link.tags, ...others];
  link.tags = all.slice(0, TAGS_MAX);
  const left = all.slice(TAGS_MAX);
  const room = left.length > 0 ? ` There was no room for ${left.join(', ')}.` : '';
  return `, which gets its tags.${room}`;
}

/** Says why a link is not imported. */
export function tooManyImported(maxLinks: number, units = 1): string {
  const size = units > 1 ? ` It counts as ${units}, because each started 4 KiB counts as one.` : '';
  return `With this link, the account would have imported more than ${maxLinks} links and previous aliases, the most that it can import.${size}`;
}

/** Links without a date are new. */
function byCreation(a: PlacedRow, b: PlacedRow): number {
  return creation(a) - creation(b) || a.row - b.row;
}

function creation({ link }: PlacedRow): number {
  return link?.created ?? Number.MAX_SAFE_INTEGER;
}

/** Looked up at once: about a millisecond, and few statements of a database. */
const TOGETHER = 1000;

/** What the store has of the rows of a file. Costs as much as the file has rows and aliases. */
type KnownRows = {
  /** The keys of rows that earlier imports of the account have added. */
  importKeys: ReadonlySet<string>;
  /** By alias, as the store has it, in lower case. Those that are no valid aliases are missing. */
  aliasStates: ReadonlyMap<string, AliasState>;
};

async function readKnownRows(
  rows: PlacedRow[],
  { store, accountId }: Pick<PlanOptions, 'store' | 'accountId'>,
): Promise<KnownRows> {
  const links = rows.flatMap(({ link }) => link ?? []);
  const importKeys = new Set<string>();
  await inParts(new Set(links.map(toImportKey)), async (keys) => {
    for (const key of await store.findImportKeys(accountId, keys)) importKeys.add(key);
  });
  const aliases = links.flatMap(({ storedAlias, unusableAlias, previousAliases }) =>
    [storedAlias ?? UNUSABLE, unusableAlias ?? UNUSABLE, ...previousAliases].filter(
      (alias) => alias !== UNUSABLE,
    ),
  );
  const aliasStates = new Map<string, AliasState>();
  await inParts(new Set(aliases.map((alias) => alias.toLowerCase())), async (keys) => {
    const states = await store.aliasStates(keys, accountId);
    for (const [index, key] of keys.entries()) aliasStates.set(key, states[index] as AliasState);
  });
  return { importKeys, aliasStates };
}

async function inParts(all: Set<string>, lookUp: (part: string[]) => Promise<void>): Promise<void> {
  const values = [...all];
  const yieldToOthers = createYielder();
  for (let start = 0; start < values.length; start += TOGETHER) {
    await lookUp(values.slice(start, start + TOGETHER));
    await yieldToOthers();
  }
}
