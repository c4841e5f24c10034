import { dayNumber } from '../../../server/lib/time.ts';
import type { Store } from '../../../server/store/store.ts';
import {
  ADMINISTRATOR,
  addLink,
  editOf,
  NOW,
  newLink,
  ownLinkOf,
  talliesOf,
  tally,
} from '../contract.ts';

/** A fixture has one round of changes before its snapshot, and one after it. */
export const ROUNDS = ['old', 'new'];

const NAMES = ['first', 'renamed', 'original', 'again', 'moved', 'purged', 'spent', 'gone'];

/** Makes changes of every kind, so that a folder has every kind of line. */
export async function fillRound(store: Store, round: string): Promise<void> {
  const { administration } = store;
  const [own, other, deleted] = ['own', 'other', 'deleted'].map((name) => `${round}-${name}`) as [
    string,
    string,
    string,
  ];
  const add = async (name: string, accountId = own, options = {}) => {
    const link = { accountId, title: `Ein „${name}“`, tags: ['tag', round] };
    return addLink(store, newLink(`${round}-${name}`, { ...options, link }));
  };
  const key = (name: string) => {
    return { keyHash: `${round}-${name}-key`, bodyHash: 'body', tokenSalt: 'salt' };
  };
  const account = (id: string) => {
    return { id, tokenHash: `${id}-token`, name: '', created: NOW };
  };

  const room = { isFull: false, anonymous: { day: dayNumber(NOW), maxBytes: 10_000 } };
  const options = { newAccount: account(own), idempotency: key('first'), room };
  const first = await add('first', own, options);
  const identityHash = `${other}-person`;
  await store.addAccount({ ...account(other), identityHash, name: 'Other', monthlyQuota: 500 });
  await administration.editAccount(other, { suspended: { reason: 'left', since: NOW } });
  const renamed = await add('original', own, { idempotency: key('original') });
  const changes = { alias: `${round}-renamed`, previousAliases: [`${round}-original`] };
  await store.editLink(editOf(renamed, { ...changes, description: 'two\nlines', maxVisits: 5 }));
  await store.purgeLink(ownLinkOf(await add('again')));
  await add('again');
  await store.purgeLink(ownLinkOf(await add('purged')));
  await store.purgeLink(ownLinkOf(await add('spent', own, { idempotency: key('spent') })));
  const report = { reason: 'Phishing', contact: 'ann@example.com', time: NOW };
  await administration.addReport(first.id, report);
  const moved = await add('moved');
  await administration.moveLink(ownLinkOf(moved), other);

  await add('gone', deleted, { newAccount: account(deleted) });
  await store.deleteAccount({ accountId: deleted, by: ADMINISTRATOR });

  for (const id of [`${round}-kept`, `${round}-revoked`]) {
    const token = { id, accountId: own, tokenHash: `${id}-hash`, name: id, created: NOW };
    await store.addToken({
      token: { ...token, scope: 'read', lastUsedOn: null },
      by: ADMINISTRATOR,
    });
  }
  await store.revokeToken({
    id: `${round}-revoked`,
    accountId: own,
    by: ADMINISTRATOR,
    evenIfLast: false,
  });
  store.markTokenUsed({ id: `${round}-kept`, accountId: own }, NOW);
  store.countHit(first.id);
  await store.takeVisit(renamed.id);
  const counts = { people: 2, uniquePeople: 1, previews: 1, bots: 1 };
  const targets = tally({ 'https://example.com/b': 1, 'https://example.com/': 1 });
  const dimensions = { browsers: tally({ Firefox: 2 }), countries: tally({ DE: 1 }), targets };
  await store.addVisits([
    { linkId: first.id, hour: NOW, ...counts, tallies: talliesOf(dimensions) },
  ]);

  const block = { kind: 'host', value: `${round}.example`, reason: 'malware', since: NOW } as const;
  await administration.addBlock(block);
  await administration.addBlock({ ...block, value: `un.${round}.example` });
  await administration.removeBlock({ kind: 'host', value: `un.${round}.example` });
  const brand = { name: 'Ä', logo: null, color: '#0a7' };
  const settings = { scheme: null, brand, rootUrl: null, notFoundUrl: null, goneUrl: null };
  for (const name of ['in-use', 'removed']) {
    const domain = { ...settings, accounts: [own], created: NOW, removed: null };
    await administration.addDomain({ ...domain, host: `${name}.${round}.example` });
  }
  await administration.editDomain(`in-use.${round}.example`, { goneUrl: 'https://example.com/' });
  await administration.removeDomain(`removed.${round}.example`, NOW);
  const entry = { time: NOW, action: 'block.add', target: `host ${round}.example`, details: {} };
  await administration.addAuditEntry(entry);
}

/** What a store with both rounds has, as JSON. */
export async function describeStore(store: Store): Promise<unknown> {
  const all = { limit: 100, after: null, search: null };
  const accounts = ROUNDS.flatMap((round) => [
    `${round}-own`,
    `${round}-other`,
    `${round}-deleted`,
  ]);
  const links = ROUNDS.flatMap((round) => NAMES.map((name) => `${round}-${name}`));
  const found = {
    secret: (await store.secret()).toString('base64url'),
    links: await Promise.all(links.map(async (alias) => [alias, await store.findLink(alias)])),
    free: await Promise.all(
      links.map(async (alias) => [
        alias,
        await store.isAliasFree(alias),
        await store.isAliasFree(alias, `${alias.slice(0, 3)}-own`),
      ]),
    ),
    replays: await Promise.all(
      links.map(async (alias) => [alias, await store.findReplay(`${alias}-key`, NOW)]),
    ),
    accounts: await Promise.all(
      accounts.map(async (id) => [
        id,
        await store.administration.findAccount(id),
        await store.findToken(`${id}-token`),
        await store.findAccountByIdentity(`${id}-person`),
        await store.listTokens(id),
        await store.countLinks(id, NOW),
        await store.readStatistics({ accountId: id }),
        (await store.listLinks({ ...all, accountId: id, tag: null })).links.length,
      ]),
    ),
    blocks: Object.entries(store.blocks).map(([kind, blocks]) => [
      kind,
      [...blocks.values()].sort((a, b) => (a.value < b.value ? -1 : 1)),
    ]),
    domains: [...store.domains.values()].sort((a, b) => (a.host < b.host ? -1 : 1)),
    reports: (await store.administration.listReports()).sort((one, other) =>
      one.linkId.localeCompare(other.linkId),
    ),
    audit: (await store.administration.listAuditEntries(all)).entries,
  };
  const toJson = (_key: string, value: unknown) =>
    value instanceof Map ? Object.fromEntries(value) : value;
  return JSON.parse(JSON.stringify(found, toJson));
}
