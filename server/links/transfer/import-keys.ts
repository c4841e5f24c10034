import type { Store } from '../../store/store.ts';
import { eachPage } from './each-page.ts';

/** The keys of all rows that the account has imported. Reads all its links, if it has imported any. */
export async function readImportKeys(
  store: Store,
  accountId: string,
  now: number,
): Promise<Set<string>> {
  const keys = new Set<string>();
  if ((await store.countLinks(accountId, now)).imported === 0) return keys;
  const isImported = ({ importKey }: { importKey: string | null }) => importKey !== null;
  for await (const links of eachPage(store, accountId, isImported)) {
    for (const { importKey } of links) if (importKey !== null) keys.add(importKey);
  }
  return keys;
}
