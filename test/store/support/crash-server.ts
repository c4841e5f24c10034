import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { hashToken } from '../../../server/accounts/tokens.ts';
import { buildApp } from '../../../server/app.ts';
import { readSettings } from '../../../server/config.ts';
import { openJsonFileStore } from '../../../server/store/json-file/json-file-store.ts';
import type { Store } from '../../../server/store/store.ts';
import type { EditAnswer, EditMessage, PauseMessage } from './crash-edits.ts';

/**
 * The server as in `main.ts`, except that it compacts all the time: compactions start early, and long
 * idempotency keys produce waste.
 */
const [folder = ''] = process.argv.slice(2);
const fail = (error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
};
const store = await openJsonFileStore(folder, {
  clock: Date.now,
  onError: fail,
  onWarning: fail,
  compactAtBytes: 1024,
});
const lengthen = (keyHash: string) => keyHash.padEnd(500, '.');
const wastefulStore: Store = {
  secret: () => store.secret(),
  findAccount: (tokenHash) => store.findAccount(tokenHash),
  findLink: (alias) => store.findLink(alias),
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
  countHit: (linkId) => store.countHit(linkId),
  hitCounter: (linkId) => store.hitCounter(linkId),
  get changeCount() {
    return store.changeCount;
  },
  checkWritable: () => store.checkWritable(),
  close: () => store.close(),
};
const settings = readSettings({
  RATE_LIMIT_PER_MINUTE: '1000000000',
  MONTHLY_QUOTA: '1000000000',
  ANONYMOUS_PER_DAY: '1000000000',
  LOG_LEVEL: 'error',
});
const app = await buildApp({ settings, store: wastefulStore });
process.on('message', async (message: EditMessage | PauseMessage) => {
  const { number } = message;
  if ('pauseMs' in message) {
    await delay(message.pauseMs);
    process.send?.({ number } satisfies EditAnswer);
    return;
  }
  const { token, edit } = message;
  const account = await store.findAccount(hashToken(token));
  const outcome = await store.editLink({ ...edit, accountId: account?.id ?? '' });
  const answer: EditAnswer = { number, outcome };
  process.send?.(answer);
});
// Node writes it on exit, but this process is killed.
flushCompileCache();
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
