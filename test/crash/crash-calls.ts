import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { hashToken } from '../../server/accounts/tokens.ts';
import type {
  AddTokenOutcome,
  Authorization,
  RevokeTokenOutcome,
  Token,
} from '../../server/store/account.ts';
import type { EditLinkOutcome, LinkEdit, PurgeLinkOutcome } from '../../server/store/link-calls.ts';
import type { Store } from '../../server/store/store.ts';

/** Calls that the crash server takes as messages of its process, and their outcomes. */
type Calls = {
  edit: [argument: Omit<LinkEdit, 'accountId' | 'by'>, outcome: EditLinkOutcome];
  takeVisit: [argument: string, outcome: boolean];
  addToken: [argument: Omit<Token, 'accountId'>, outcome: AddTokenOutcome];
  revokeToken: [argument: string, outcome: RevokeTokenOutcome];
  purge: [argument: string, outcome: PurgeLinkOutcome];
  deleteAccount: [argument: null, outcome: boolean];
  /** Answers after this many milliseconds by the server's own timers. */
  pause: [argument: number, outcome: true];
};
type Kind = keyof Calls;
type Message = { number: number; token: string; kind: Kind; argument: unknown };
type Answer = { number: number; outcome: unknown };

/** The client side. */
export class CallChannel {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (outcome: unknown) => void>();
  #number = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', ({ number, outcome }: Answer) => {
      this.#waiting.get(number)?.(outcome);
      this.#waiting.delete(number);
    });
    child.on('disconnect', () => {
      for (const resolve of this.#waiting.values()) resolve(undefined);
      this.#waiting.clear();
    });
  }

  /**
   * @param token of the account
   * @returns undefined if there was no response
   */
  send<K extends Kind>(
    token: string,
    kind: K,
    argument: Calls[K][0],
  ): Promise<Calls[K][1] | undefined> {
    if (!this.#child.connected) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const number = this.#number++;
    this.#waiting.set(number, resolve);
    const message: Message = { number, token, kind, argument };
    this.#child.send(message, (error) => {
      if (error) resolve(undefined);
    });
    return promise as Promise<Calls[K][1] | undefined>;
  }
}

/** The server side. */
export function answerCalls(store: Store): void {
  process.on('message', async ({ number, token, kind, argument }: Message) => {
    const owner = await store.findToken(hashToken(token));
    const accountId = owner?.account.id ?? '';
    const by: Authorization = { kind: 'token', tokenHash: hashToken(token), access: 'all' };
    const handlers: { [K in Kind]: (argument: Calls[K][0]) => Promise<Calls[K][1]> } = {
      edit: (edit) => store.editLink({ ...edit, accountId, by }),
      takeVisit: (linkId) => store.takeVisit(linkId),
      addToken: (added) => store.addToken({ token: { ...added, accountId }, by }),
      revokeToken: (id) => store.revokeToken({ id, accountId, by, evenIfLast: false }),
      purge: (linkId) => store.purgeLink({ linkId, accountId, by }),
      deleteAccount: () => store.deleteAccount({ accountId, by }).then(() => true),
      pause: (ms) => delay(ms, true),
    };
    const answer: Answer = { number, outcome: await handlers[kind](argument as never) };
    process.send?.(answer);
  });
}
