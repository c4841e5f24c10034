import { invalidField } from '../lib/invalid-field.ts';
import type { Authorization } from '../store/account.ts';
import { findAccount, unknownAccount } from './accounts.ts';
import { type AuditDependencies, audited } from './audit.ts';

/** So that a request never takes long, whatever the number of links. */
const MAX_LINKS = 1000;
/** Moves that share a write in a folder. In a database, each of them waits for the others, but not for long. */
const TOGETHER = 50;

/**
 * Moves up to 1,000 links of an account, deleted ones included, to another one. Each move is on disk by
 * itself, so an interrupted request is continued by the next one.
 *
 * @throws ServiceError `not_found`, `invalid_request`
 */
export async function reassignLinks(
  { from, to }: { from: string; to: string },
  by: Authorization,
  dependencies: AuditDependencies,
): Promise<{ moved: number; remaining: number }> {
  await findAccount(from, dependencies);
  await findAccount(to, dependencies);
  if (from === to) {
    throw invalidField('to', 'Is the account that has the links already.');
  }
  const { store, clock } = dependencies;
  const entry = { action: 'account.reassign', target: from, details: { to }, by } as const;
  return audited(dependencies, entry, async () => {
    let moved = 0;
    while (moved < MAX_LINKS) {
      const outcomes = await moveSome(from, to, dependencies);
      if (outcomes.length === 0) break;
      if (outcomes.includes('no_account')) throw unknownAccount(to);
      moved += outcomes.filter((outcome) => outcome === 'moved').length;
    }
    return { moved, remaining: (await store.countLinks(from, clock())).total };
  });
}

async function moveSome(from: string, to: string, { store }: AuditDependencies) {
  const all = { after: null, search: null, tag: null };
  const { links } = await store.listLinks({ accountId: from, limit: TOGETHER, ...all });
  const moves = links.map(({ id: linkId }) =>
    store.administration.moveLink({ linkId, accountId: from }, to),
  );
  return Promise.all(moves);
}
