import type { Client } from '../../../shared/client.ts';
import type { SyncReport } from '../../messaging/protocol.ts';
import { watchErasing } from '../../storage/erase.ts';
import { accountCopies, hiddenLinkIds, savedLinks, savedLinksBytes } from '../../storage/items.ts';
import { watchChanges } from '../links/link-changes.ts';
import { type Lists, withinLimit } from '../links/link-quota.ts';
import { hasUnsettledPrivateCall } from '../queue/pending-requests.ts';
import { findToken, listAccounts } from '../server/tokens.ts';
import { verifyServer } from '../server/verify-server.ts';
import { toFailure } from '../to-failure.ts';
import { type AccountLinks, fetchAccountLinks } from './fetch-links.ts';
import { hideDiscarded } from './hide-discarded.ts';
import { mergeAccount } from './merge-account.ts';

export type Sync = ReturnType<typeof createSync>;

/** Keeps a copy of the links of all accounts, so that the list works offline. */
export function createSync(
  clientOf: (origin: string) => Client,
  { nowMs = Date.now }: { nowMs?: () => number } = {},
) {
  const running = new Map<string, Promise<SyncReport>>();

  /** Reads the links of each account in use. Concurrent calls share one reading. */
  async function syncAll(): Promise<SyncReport[]> {
    const accounts = (await listAccounts()).filter(({ hasToken }) => hasToken);
    return Promise.all(accounts.map(({ origin }) => syncOne(origin)));
  }

  function syncOne(origin: string): Promise<SyncReport> {
    const current =
      running.get(origin) ??
      readAndMerge(origin)
        .catch(async (error) => ({ ...(await lastSync(origin)), failure: toFailure(error) }))
        .finally(() => running.delete(origin));
    running.set(origin, current);
    return current;
  }

  async function readAndMerge(origin: string): Promise<SyncReport> {
    const token = await findToken(origin, false);
    if (!token) return lastSync(origin);
    const client = clientOf(origin);
    const verified = await verifyServer(origin, client);
    if (!verified.ok) return { ...(await lastSync(origin)), failure: verified };
    const isErased = watchErasing();
    const { changed, stop } = watchChanges();
    try {
      const account = await fetchAccountLinks(client, token);
      const isOutdated = isErased() || (await findToken(origin, false)) !== token;
      if (isOutdated) return lastSync(origin);
      if (account.ok) {
        const missing = await merge(origin, account.data, changed);
        const syncedAtMs = nowMs();
        await accountCopies.update((all) => ({ ...all, [origin]: { syncedAtMs, missing } }));
        return { serverOrigin: origin, syncedAtMs, missing };
      }
      // Every newer server has the list.
      const isOlder = account.code === 'not_found';
      if (isOlder) await merge(origin, { existing: [], deleted: [] }, changed);
      const last = await lastSync(origin);
      return isOlder ? { ...last, isOlder: true } : { ...last, failure: account };
    } finally {
      stop();
    }
  }

  return { syncAll };
}

/** The accounts that were read before, with the time of the last complete reading. */
export async function lastSyncs(): Promise<SyncReport[]> {
  const copies = Object.entries(await accountCopies.read());
  return copies.map(([serverOrigin, copy]) => ({ serverOrigin, ...copy }));
}

async function lastSync(origin: string): Promise<SyncReport> {
  const copy = (await accountCopies.read())[origin];
  return { serverOrigin: origin, ...(copy ?? { syncedAtMs: null, missing: 0 }) };
}

/** @returns how many of the account's oldest links did not fit */
async function merge(
  origin: string,
  account: AccountLinks,
  changed: ReadonlySet<string>,
): Promise<number> {
  // In this order: a call that settles in between has hidden its link by then.
  const addsNew = !(await hasUnsettledPrivateCall(origin));
  if (addsNew) await hideDiscarded(origin, account.existing);
  const hidden = new Set(await hiddenLinkIds.read());
  let missing = 0;
  let bytesAfter: number | null = null;
  await savedLinks.updateAll((lists) => {
    const merged = mergeAccount(lists, account, {
      origin,
      isNewer: (shortUrl) => changed.has(shortUrl),
      isHidden: (id) => hidden.has(id),
      addsNew,
    });
    const all: Lists = new Map([...lists, ...merged]);
    // Entries that only this browser has are never dropped for those that the server has, too.
    const limited = withinLimit(all, ({ managed }) => managed !== undefined);
    missing = limited.dropped;
    bytesAfter = limited.bytes;
    return new Map([...merged, ...limited.lists]);
  });
  await savedLinksBytes.update(() => bytesAfter);
  return missing;
}
