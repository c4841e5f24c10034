import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ALIAS_PATTERN, PREVIOUS_ALIASES_MAX } from '../../../shared/bounds.ts';
import type { ImportedRow, ImportField } from '../../../shared/links/transfer.ts';
import {
  type Domain,
  type Domains,
  isUsableBy,
  toStoredAlias,
} from '../../domains/short-domains.ts';
import { createYielder } from '../../lib/yield-to-others.ts';
import type { Account } from '../../store/account.ts';
import { isGone, type Link, type LinkJson } from '../../store/link.ts';
import type { LinkChanges } from '../../store/link-calls.ts';
import { type AliasState, aliasesOf } from '../../store/rules/aliases.ts';
import type { Store } from '../../store/store.ts';
import { eachPage } from '../manage/list-links.ts';
import { toSameFields } from '../to-link-record.ts';
import type { StatusDependencies } from './import-status.ts';
import type { ImportedLink } from './meaning/field-values.ts';
import type { Row, RowIssue } from './meaning/read-rows.ts';

/** What the store gets of a link, without its id and its alias. */
export type NewContent = Omit<LinkJson, 'alias'> & {
  targetUrl: string;
  tags: string[];
  previousAliases: string[];
  importKey: string;
};

/** A link that a row adds. */
export type Addition = {
  content: NewContent;
  place: Domain;
  /** What an undo has deleted, and is in the way: it is erased first. */
  replaces: readonly Link[];
};

/** A row with what is to become of it: a preview reports it, and an import carries it out. */
export type PlannedRow = Pick<ImportedRow, 'row' | 'status' | 'source' | 'issues'> & {
  /** As the store has it; null if there is none yet, or if Curt does not allow the one in the file. */
  storedAlias: string | null;
  isRestorable?: boolean;
  add?: Addition;
  /** What to change of the link that is there. */
  changes?: LinkChanges;
};

/** A row whose link is to be added, unless the account has it already or cannot have it. */
export type PlacedRow = PlannedRow & {
  /** As the file has it. */
  link: ImportedLink;
  isPausedForPassword: boolean;
  add: Addition;
  /** Its alias on the domain that its file names, if the account cannot use that one. */
  unusableAlias: string | null;
};

export function isPlaced(row: PlannedRow | PlacedRow): row is PlacedRow {
  return 'link' in row;
}

/** Instead of a previous alias that the account cannot have. */
export const UNUSABLE = '/';

type PlaceOptions = { accountId: string; importId: string; now: number; domains: Domains };

/**
 * Places the links of a file on the domains that it names, the oldest link first: of two with one alias, it keeps it.
 * A domain that the account cannot use is no reason to lose the link: it gets one on that of `BASE_URL`, and the report
 * says so.
 *
 * @param nextTurn awaited now and then, see `createYielder`
 */
export async function placeRows(
  rows: readonly Row[],
  { nextTurn, ...options }: PlaceOptions & { nextTurn: () => Promise<void> },
): Promise<(PlannedRow | PlacedRow)[]> {
  const yieldToOthers = createYielder(nextTurn);
  const placed: (PlannedRow | PlacedRow)[] = [];
  for (const row of rows.toSorted(byCreation)) {
    placed.push(placeRow(row, options));
    await yieldToOthers();
  }
  return placed;
}

/** Links without a date are new. Those of the same time stay in the order of the file. */
function byCreation(a: Row, b: Row): number {
  const time = ({ link }: Row) => link?.created ?? Number.MAX_SAFE_INTEGER;
  return time(a) - time(b);
}

function placeRow(row: Row, options: PlaceOptions): PlannedRow | PlacedRow {
  const { link, source, isPausedForPassword = false } = row;
  if (!link) return become(row, 'failed', row.issues);
  const { accountId, domains } = options;
  const find = (name: string) => {
    const domain = domains.find(name);
    return domain && isUsableBy(domain, accountId) ? domain : undefined;
  };
  const named = link.domain === null ? domains.first : domains.find(link.domain);
  const isUsable = named !== undefined && isUsableBy(named, accountId);
  const place = isUsable ? named : domains.first;
  const toStored = (domain: Domain) =>
    ALIAS_PATTERN.test(link.alias) ? domains.qualify(domain, link.alias) : null;
  const toPrevious = (text: string) => {
    const slash = text.lastIndexOf('/');
    const isPlaceable = slash === -1 || find(text.slice(0, slash)) !== undefined;
    const isAlias = ALIAS_PATTERN.test(text.slice(slash + 1));
    return isPlaceable && isAlias ? toStoredAlias(text, place, domains) : UNUSABLE;
  };
  const issues: RowIssue[] = [...row.issues];
  if (!isUsable) {
    const message = `The account cannot use the domain "${link.domain}", so the link is on ${place.host}.`;
    issues.unshift({ field: 'domain', message });
  }
  if (link.previousAliases.length > PREVIOUS_ALIASES_MAX) {
    const message = `Only the first ${PREVIOUS_ALIASES_MAX} previous aliases are kept.`;
    issues.push({ field: 'previousAliases', message });
  }
  const previousAliases = link.previousAliases.slice(0, PREVIOUS_ALIASES_MAX).map(toPrevious);
  return {
    ...become({ row: row.row, source }, 'imported', issues, toStored(place)),
    link,
    isPausedForPassword,
    add: { content: { ...toContent(link, options), previousAliases }, place, replaces: [] },
    unusableAlias: named && !isUsable ? toStored(named) : null,
  };
}

/** Leaves out what is no longer of use, such as the link of a row that adds none. */
export function become(
  { row, source }: Pick<Row, 'row' | 'source'>,
  status: PlannedRow['status'],
  issues: RowIssue[],
  storedAlias: string | null = null,
): PlannedRow {
  return { row, source, status, issues, storedAlias };
}

function toContent(link: ImportedLink, { accountId, importId, now }: PlaceOptions) {
  // Clocks differ, and a list begins with the newest link.
  const created = Math.min(link.created ?? now, now);
  const modified = Math.max(created, Math.min(link.modified ?? created, now));
  return {
    accountId,
    aliasIsCustom: link.aliasIsCustom,
    originalUrl: link.originalUrl.text,
    targetUrl: link.originalUrl.url.href,
    ...toSameFields(link),
    tags: link.tags,
    passwordHash: link.passwordHash,
    startsAt: link.startsAt,
    expiresAt: link.expiresAt,
    isActive: link.isActive,
    hits: link.hits,
    created,
    editedAt: modified === created ? null : modified,
    importKey: toImportKey(link),
    importId,
  };
}

/** 96 bits. Stored with each imported link, and compared within one account only. */
const KEY_BYTES = 12;

/** Identifies a link of another service by what does not change there. */
function toImportKey({ alias, domain, originalUrl, created }: ImportedLink): string {
  return createHash('sha256')
    .update(JSON.stringify([domain, alias, originalUrl.text, created]))
    .digest()
    .subarray(0, KEY_BYTES)
    .toString('base64url');
}

/** The fields of a file that say something of a field of the store with another name. */
const SAID_BY = new Map<string, ImportField[]>([
  ['targetUrl', ['originalUrl']],
  ['isActive', ['isActive', 'paused', 'status']],
]);
/** What a file says of a new link only. */
const NOT_EDITED = new Set(['created', 'hits', 'previousAliases', 'passwordHash']);

/** Returns what a row changes of a link that is there: the fields that its file has, as far as they differ. */
export function toRowChanges(
  content: NewContent,
  existing: Link,
  given: ReadonlySet<ImportField>,
): LinkChanges {
  const changed = Object.entries(content).filter(([name, value]) => {
    const fields = SAID_BY.get(name) ?? [name as ImportField];
    return (
      !NOT_EDITED.has(name) &&
      fields.some((field) => given.has(field)) &&
      !isDeepStrictEqual(value, existing[name as keyof NewContent])
    );
  });
  return Object.fromEntries(changed);
}

/** What the store has of the rows of a file. Costs as much as the file has rows and aliases. */
export type KnownLinks = {
  /** The keys of rows that earlier imports of the account have added. */
  importKeys: ReadonlySet<string>;
  /** By alias, as the store has it, in lower case. Those that are no valid aliases are missing. */
  aliasStates: ReadonlyMap<string, AliasState>;
  /** How much the account has imported. */
  imported: number;
  deleted: DeletedLinks;
  /** One at a time: all of them would take more memory than the file. */
  findLink: Store['findLink'];
};

/** Deleted links of the account, by what would keep a row from being imported again. */
type DeletedLinks = {
  /** Those of imports that were undone. */
  undone: { byAlias: ReadonlyMap<string, Link>; byImportKey: ReadonlyMap<string, Link> };
  /** Others, which can be restored. */
  byImportKey: ReadonlyMap<string, Link>;
};

type Importer = Pick<Account, 'id' | 'undoneImports'>;

async function readDeleted(
  { id: accountId, undoneImports = [] }: Importer,
  { store, clock }: StatusDependencies,
): Promise<DeletedLinks> {
  const undone = { byAlias: new Map<string, Link>(), byImportKey: new Map<string, Link>() };
  const byImportKey = new Map<string, Link>();
  for await (const page of eachPage(store, { accountId, isDeleted: true })) {
    for (const link of page) {
      const { importId, importKey } = link;
      const isUndone = importId !== null && undoneImports.includes(importId);
      if (isUndone) for (const alias of aliasesOf(link)) undone.byAlias.set(alias, link);
      if (importKey === null) continue;
      if (isUndone) undone.byImportKey.set(importKey, link);
      else if (!isGone(link, store.certainTime(clock()))) byImportKey.set(importKey, link);
    }
  }
  return { undone, byImportKey };
}

/** Looked up at once: about a millisecond, and few statements of a database. */
const TOGETHER = 1000;

export async function readKnown(
  rows: readonly (PlannedRow | PlacedRow)[],
  account: Importer,
  dependencies: StatusDependencies,
): Promise<KnownLinks> {
  const { store, clock } = dependencies;
  const deleted = await readDeleted(account, dependencies);
  const placed = rows.filter(isPlaced);
  const importKeys = new Set<string>();
  await inParts(
    placed.map(({ add }) => add.content.importKey),
    async (keys) => {
      for (const key of await store.findImportKeys(account.id, keys)) importKeys.add(key);
    },
  );
  const aliasStates = new Map<string, AliasState>();
  const aliases = placed.flatMap(({ storedAlias, unusableAlias, add }) =>
    [storedAlias, unusableAlias, ...add.content.previousAliases]
      .filter((alias): alias is string => alias !== null && alias !== UNUSABLE)
      .map((alias) => alias.toLowerCase()),
  );
  await inParts(aliases, async (keys) => {
    const states = await store.aliasStates(keys, account.id);
    for (const [index, key] of keys.entries()) aliasStates.set(key, states[index] as AliasState);
  });
  const { imported } = await store.countLinks(account.id, clock());
  return { importKeys, aliasStates, imported, deleted, findLink: store.findLink.bind(store) };
}

async function inParts(all: string[], lookUp: (part: string[]) => Promise<void>): Promise<void> {
  const values = [...new Set(all)];
  const yieldToOthers = createYielder();
  for (let start = 0; start < values.length; start += TOGETHER) {
    await lookUp(values.slice(start, start + TOGETHER));
    await yieldToOthers();
  }
}
