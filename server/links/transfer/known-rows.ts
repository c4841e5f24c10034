import type { ImportSource } from '../../../shared/links/transfer.ts';
import { createYielder } from '../../lib/yield-to-others.ts';
import type { AliasState } from '../../store/rules/aliases.ts';
import type { Store } from '../../store/store.ts';
import { toImportKey } from './import-key.ts';
import { type PlacedRow, UNUSABLE } from './place-link.ts';

/** Looked up at once: about a millisecond, and few statements of a database. */
const TOGETHER = 1000;

/** What the store has of the rows of a file. Costs as much as the file has rows and aliases. */
export type KnownRows = {
  /** The keys of rows that earlier imports of the account have added. */
  importKeys: ReadonlySet<string>;
  /** By alias, as the store has it, in lower case. Those that are no valid aliases are missing. */
  aliasStates: ReadonlyMap<string, AliasState>;
};

export async function readKnownRows(
  rows: PlacedRow[],
  { store, accountId, source }: { store: Store; accountId: string; source: ImportSource },
): Promise<KnownRows> {
  const links = rows.flatMap((row) => ('link' in row ? row.link : []));
  const importKeys = new Set<string>();
  await inParts(new Set(links.map((link) => toImportKey(source, link))), async (keys) => {
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
