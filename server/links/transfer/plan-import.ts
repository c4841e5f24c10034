import { EXPIRY_MAX_YEARS, TAGS_MAX } from '../../../shared/bounds.ts';
import type { ImportField } from '../../../shared/links/transfer.ts';
import { foldTag } from '../../../shared/text.ts';
import type { Settings } from '../../config.ts';
import { isReserved } from '../../domains/short-domains.ts';
import { createYielder } from '../../lib/yield-to-others.ts';
import { type Link, measure } from '../../store/link.ts';
import type { LinkChanges } from '../../store/link-calls.ts';
import { decideAdd } from '../../store/rules/add-link.ts';
import type { AliasState } from '../../store/rules/aliases.ts';
import {
  EXPIRY_MAX_MS,
  findForbiddenTarget,
  startsBeforeExpiry,
  TARGETS_TOO_LONG,
  type TargetDependencies,
} from '../allowed-fields.ts';
import type { ImportedLink } from './meaning/field-values.ts';
import type { RowIssue } from './meaning/read-rows.ts';
import {
  become,
  isPlaced,
  type KnownLinks,
  type NewContent,
  type PlacedRow,
  type PlannedRow,
  toRowChanges,
  UNUSABLE,
} from './place-rows.ts';

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

type PlanOptions = TargetDependencies & {
  /** `importMaxLinks` counts links and previous aliases. */
  settings: Pick<Settings, 'countryHeader' | 'customGtm' | 'importMaxLinks'>;
  accountId: string;
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

/** A row whose link is to be added. */
type AddedRow = { row: number; content: NewContent };

/**
 * Decides what becomes of each row, by what is known of the account's links. A dry run reports the plan, and an
 * import carries it out.
 *
 * @param rows in the order of creation, so that of two links with one alias the older one keeps it
 */
export async function planImport(
  rows: readonly (PlannedRow | PlacedRow)[],
  known: KnownLinks,
  options: PlanOptions,
): Promise<PlannedRow[]> {
  const { settings, accountId, now, isDryRun, pay } = options;
  const { undone } = known.deleted;
  const { importMaxLinks: maxLinks } = settings;
  const yieldToOthers = createYielder(options.nextTurn);
  let used = known.imported;
  /** Rows of this file, by what later ones must not repeat. */
  const rowsByKey = new Map<string, AddedRow>();
  const rowsByAlias = new Map<string, AddedRow>();
  /** Once it is false, no row tells anything about aliases of others. */
  let isChecking = true;

  const plan: PlannedRow[] = [];
  for (const row of rows) {
    plan.push(isPlaced(row) ? await planRow(row) : row);
    await yieldToOthers();
  }
  return plan;

  async function planRow(row: PlacedRow): Promise<PlannedRow> {
    const { content } = row.add;
    const { importKey } = content;
    const duplicate = (message: string, existing?: Link) =>
      become(row, 'duplicate', [{ field: null, message }], existing?.alias);
    const restorable = (existing: Link): PlannedRow => {
      const message = 'The account has deleted this link. Restore it instead.';
      return { ...duplicate(message, existing), isRestorable: true };
    };
    const sameAlias = rowsByAlias.get(row.storedAlias?.toLowerCase() ?? '');
    const isSame = sameAlias?.content.targetUrl === content.targetUrl;
    const earlier = rowsByKey.get(importKey) ?? (isSame ? sameAlias : undefined);
    if (earlier) {
      return duplicate(
        `The same link is in row ${earlier.row}${addTags(earlier.content, content)}`,
      );
    }
    const found = await findSame(row);
    const existing = found && isUndone(found) ? undefined : found;
    if (existing?.deletedAt) return restorable(existing);
    if (existing) return planExisting(row, existing);
    // Without an alias in the file, nothing else leads to it.
    const inTrash = known.deleted.byImportKey.get(importKey);
    if (inTrash) return restorable(inTrash);
    if (known.importKeys.has(importKey) && !undone.byImportKey.has(importKey)) {
      return duplicate(IMPORTED_BEFORE);
    }
    return planNew(row);
  }

  function planNew(row: PlacedRow): PlannedRow {
    const { link, storedAlias, add } = row;
    const { content } = add;
    const failed = (message: string) => become(row, 'failed', [{ field: null, message }]);
    const problems = findProblems(link);
    if (problems.length > 0) return become(row, 'failed', problems);
    if (!mayTell(row)) {
      if (!isDryRun) return failed(NOT_CHECKED);
      return become(row, 'imported', [{ field: null, message: NOT_CHECKED_DRY }], storedAlias);
    }
    const problem = checkAlias(row);
    const alias = problem === undefined ? storedAlias : null;
    const { hasTooLongTargets, units } = measure({ ...content, alias: alias ?? '' });
    if (hasTooLongTargets) return failed(TARGETS_TOO_LONG);
    const decision = decideAdd(
      { link: content, quota: maxLinks },
      { alias: alias ?? '', stateOf, used, units },
    );
    if (decision.kind !== 'add') return failed(tooManyImported(maxLinks, units));

    const { previousAliases, cost } = decision;
    used += cost;
    const undoneLink = undone.byImportKey.get(content.importKey);
    const replaces = new Set(undoneLink && [undoneLink]);
    const added = { row: row.row, content };
    for (const each of [alias, ...previousAliases].filter((name) => name !== null)) {
      rowsByAlias.set(each.toLowerCase(), added);
      const replaced = undone.byAlias.get(each.toLowerCase());
      if (replaced) replaces.add(replaced);
    }
    const issues = [...row.issues];
    if (problem !== undefined) issues.unshift({ field: 'alias', message: problem });
    if (!settings.countryHeader && link.rules.some(({ country }) => country !== undefined)) {
      issues.push({ field: 'rules', message: COUNTRY_UNKNOWN });
    }
    if (!allowsContainer(content)) {
      issues.push({ field: 'customGtmId', message: CONTAINER_LEFT_OUT });
      content.customGtmId = null;
    }
    const left = content.previousAliases.length - previousAliases.length;
    if (left > 0) {
      const message = `${left} previous aliases are not available.`;
      issues.push({ field: 'previousAliases', message });
    }
    content.previousAliases = previousAliases;
    rowsByKey.set(content.importKey, added);
    const status = problem === undefined ? 'imported' : 'renamed';
    return {
      ...become(row, status, issues, alias),
      add: { ...add, replaces: [...replaces] },
    };
  }

  function allowsContainer({ customGtmId }: { customGtmId?: string | null | undefined }) {
    return !customGtmId || settings.customGtm !== 'off';
  }

  function isUndone({ id, alias }: Link): boolean {
    return undone.byAlias.get(alias.toLowerCase())?.id === id;
  }

  function planExisting(row: PlacedRow, existing: Link): PlannedRow {
    const isProtected = row.isPausedForPassword && existing.passwordHash !== null;
    const { content } = row.add;
    const said = isProtected ? { ...content, isActive: true } : content;
    const changes = toRowChanges(said, existing, options.given);
    const notes = notesOn(row, changes);
    if (!allowsContainer(changes)) {
      delete changes.customGtmId;
      notes.push({ field: 'customGtmId', message: CONTAINER_LEFT_OUT });
    }
    const names = Object.keys(changes).filter((name) => name !== 'targetUrl');
    const differences = names.join(', ');
    const becomes = (status: PlannedRow['status'], issues: RowIssue[]) =>
      become(row, status, issues, existing.alias);
    if (names.length === 0 || !options.isUpdate) {
      const issues = [{ field: null, message: 'The account has this link already.' }];
      if (names.length > 0) {
        const message = `It differs in ${differences}; an import changes nothing unless it updates existing links.`;
        issues.push({ field: null, message });
      }
      return becomes('duplicate', [...issues, ...notes]);
    }
    const problems = findProblems(row.link);
    const { startsAt = existing.startsAt, expiresAt = existing.expiresAt } = changes;
    const isOtherPeriod = startsAt !== existing.startsAt || expiresAt !== existing.expiresAt;
    if (isOtherPeriod && !startsBeforeExpiry({ startsAt, expiresAt })) {
      problems.push({ field: 'startsAt', message: 'The link would expire before it starts.' });
    }
    if (problems.length > 0) return becomes('failed', problems);
    const issues = [{ field: null, message: `Changed: ${differences}.` }, ...notes];
    return { ...becomes('updated', issues), changes };
  }

  /** What a spreadsheet has made of the alias, and why the link is paused, if that is a change. */
  function notesOn({ issues }: PlacedRow, { isActive }: LinkChanges): RowIssue[] {
    return issues.filter(({ field }) =>
      isActive === false ? field !== null && field !== 'domain' : field === 'alias',
    );
  }

  /** All that keeps the server from having the link. */
  function findProblems(link: ImportedLink): RowIssue[] {
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
  async function findSame({ link, add, storedAlias, unusableAlias }: PlacedRow) {
    for (const alias of [storedAlias, unusableAlias]) {
      if (alias === null || known.aliasStates.get(alias.toLowerCase()) !== 'taken') continue;
      const found = await known.findLink(alias);
      if (found?.accountId !== accountId) continue;
      if (found.id === link.id || found.created === link.created) return found;
      if (found.targetUrl === add.content.targetUrl) return found;
    }
    return undefined;
  }

  /**
   * Whether the row may say who has its aliases. What an import makes tells nothing of others, because it has the
   * aliases then; a dry run tells both.
   */
  function mayTell({ storedAlias, add }: PlacedRow): boolean {
    const states = [storedAlias ?? UNUSABLE, ...add.content.previousAliases]
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
  function checkAlias({ link: { alias }, storedAlias }: PlacedRow): string | undefined {
    if (storedAlias === null) {
      return alias === ''
        ? undefined
        : 'The alias has characters or a length that Curt does not allow.';
    }
    if (stateOf(storedAlias) !== 'taken') return undefined;
    if (isReserved(alias)) return `The alias "${alias}" is reserved for the server.`;
    const sameAlias = rowsByAlias.get(storedAlias.toLowerCase());
    return sameAlias === undefined
      ? `The alias "${alias}" is already taken.`
      : `Row ${sameAlias.row} has the alias "${alias}", too.`;
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
function addTags(link: NewContent, { tags }: NewContent): string {
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
