import { flushCompileCache } from 'node:module';
import { buildApp } from '../../server/app.ts';
import { readSettings } from '../../server/config.ts';
import { openJsonFileStore } from '../../server/store/json-file/json-file-store.ts';
import type { Store } from '../../server/store/store.ts';
import { answerCalls } from './crash-calls.ts';

/**
 * The server as in `main.ts`, except that it compacts all the time: compactions start early, and long
 * idempotency keys produce waste.
 */
const [folder = ''] = process.argv.slice(2);
const fail = (error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
};
const store = await openJsonFileStore(folder, {
  onError: fail,
  onWarning: fail,
  compactAtBytes: 1024,
});
const lengthen = (keyHash: string) => keyHash.padEnd(500, '.');
const wastefulStore: Store = {
  growsInMemory: true,
  counters: undefined,
  secret: () => store.secret(),
  certainTime: (now) => store.certainTime(now),
  findToken: (tokenHash) => store.findToken(tokenHash),
  findTokenHash: (start) => store.findTokenHash(start),
  findAccountByIdentity: (identityHash) => store.findAccountByIdentity(identityHash),
  addAccount: (account) => store.addAccount(account),
  findLink: (alias) => store.findLink(alias),
  isAliasFree: (alias) => store.isAliasFree(alias),
  aliasStates: (aliases, accountId) => store.aliasStates(aliases, accountId),
  findImportKeys: (accountId, keys) => store.findImportKeys(accountId, keys),
  countLinks: (accountId, time) => store.countLinks(accountId, time),
  findReplay: (keyHash, now) => store.findReplay(lengthen(keyHash), now),
  addLink: (input) =>
    store.addLink({
      ...input,
      idempotency: input.idempotency && {
        ...input.idempotency,
        keyHash: lengthen(input.idempotency.keyHash),
      },
    }),
  editLink: (edit) => store.editLink(edit),
  purgeLink: (link) => store.purgeLink(link),
  listLinks: (query) => store.listLinks(query),
  countTags: (accountId, limit) => store.countTags(accountId, limit),
  takeVisit: (linkId) => store.takeVisit(linkId),
  addVisits: (visits) => store.addVisits(visits),
  readStatistics: (of) => store.readStatistics(of),
  readVisitsPerDay: (linkIds, from) => store.readVisitsPerDay(linkIds, from),
  listTokens: (accountId) => store.listTokens(accountId),
  addToken: (newToken) => store.addToken(newToken),
  addSignInCode: (code) => store.addSignInCode(code),
  redeemSignInCode: (redemption) => store.redeemSignInCode(redemption),
  revokeToken: (revocation) => store.revokeToken(revocation),
  markTokenUsed: (token, time) => store.markTokenUsed(token, time),
  deleteAccount: (deletion) => store.deleteAccount(deletion),
  countHit: (linkId) => store.countHit(linkId),
  knownLink: (alias) => store.knownLink(alias),
  get blocks() {
    return store.blocks;
  },
  get domains() {
    return store.domains;
  },
  administration: store.administration,
  checkWritable: () => store.checkWritable(),
  overview: () => store.overview(),
  metrics: () => store.metrics(),
  close: () => store.close(),
};
const settings = readSettings({
  RATE_LIMIT_PER_MINUTE: '1000000000',
  MONTHLY_QUOTA: '1000000000',
  ANONYMOUS_PER_DAY: '1000000000',
  LOG_LEVEL: 'error',
});
const app = await buildApp({ settings, store: wastefulStore });
answerCalls(store);
// Node writes it on exit, but this process is killed.
flushCompileCache();
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
