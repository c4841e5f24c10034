import { IDEMPOTENCY_WINDOW_MS } from '../../../../shared/limits.ts';
import type { Account } from '../../account.ts';
import type { AddLinkOutcome, Link, NewLink } from '../../link.ts';
import { fromLinkJson, type LinkJson } from '../../records/link-json.ts';
import { toAccountRow } from '../accounts/account-row.ts';
import { lockForAll } from '../accounts/lock-account.ts';
import type { AccountQueue } from '../changes/account-queue.ts';
import type { Database } from '../database/database.ts';
import type { Statement } from '../database/statement.ts';
import { addImported } from './import-adder.ts';
import { toLinkRow } from './link-row.ts';
import { monthOf } from './month.ts';

export const ADD_LINKS: Statement = {
  name: 'add_links',
  text: 'SELECT * FROM add_links($1, $2, $3)',
};
/** Links that one transaction adds at most. */
const TOGETHER = 100;

type OutcomeRow = {
  /** Place of the call among those of the statement. */
  call: number;
  outcome: AddLinkOutcome['kind'];
  used_in_month: number | null;
  body_hash: string | null;
  token_salt: string | null;
  link: LinkJson | null;
};

/** A call that has not been decided, with the alias to try next. */
type Call = {
  newLink: NewLink;
  aliases: Iterator<string>;
  link: Link;
  decided: PromiseWithResolvers<AddLinkOutcome>;
};

/** Calls that wait for the same changes of their account: all of imported links, or none. */
type Group = { calls: Call[]; isImport: boolean; last: Promise<unknown> | undefined };

/**
 * Adds links. Calls of one account that come while another one is under way share a transaction, so that
 * an account is not limited to one link for each write of the disk.
 */
export class LinkAdder {
  readonly #database: Database;
  readonly #queue: AccountQueue;
  readonly #onAdded: (link: Link) => void;
  /** By account: the group that the next call joins, if nothing else was queued since. */
  readonly #waiting = new Map<string, Group>();

  constructor(database: Database, queue: AccountQueue, onAdded: (link: Link) => void) {
    this.#database = database;
    this.#queue = queue;
    this.#onAdded = onAdded;
  }

  /** See `Store.addLink`. */
  add(newLink: NewLink): Promise<AddLinkOutcome> {
    const aliases = newLink.aliases[Symbol.iterator]();
    const first = aliases.next();
    if (first.done) return Promise.resolve({ kind: 'alias_taken' });
    const link = { ...newLink.link, alias: first.value };
    const call: Call = { newLink, aliases, link, decided: Promise.withResolvers() };
    this.#enqueue(call);
    return call.decided.promise;
  }

  #enqueue(call: Call): void {
    const { accountId } = call.link;
    const isAlone = call.newLink.newAccount !== null;
    const isImport = call.link.importKey !== null;
    const waiting = isAlone ? undefined : this.#waiting.get(accountId);
    if (
      waiting?.isImport === isImport &&
      waiting.last === this.#queue.last(accountId) &&
      waiting.calls.length < TOGETHER
    ) {
      waiting.calls.push(call);
      return;
    }
    const group: Group = { calls: [call], isImport, last: undefined };
    if (!isAlone) this.#waiting.set(accountId, group);
    const sent = this.#queue.run(accountId, () => {
      if (this.#waiting.get(accountId) === group) this.#waiting.delete(accountId);
      return isImport ? this.#import(accountId, group.calls) : this.#send(accountId, group.calls);
    });
    group.last = this.#queue.last(accountId);
    sent.catch((error: unknown) => {
      for (const { decided } of group.calls) decided.reject(error);
    });
  }

  async #send(accountId: string, calls: Call[]): Promise<void> {
    const newAccount = calls[0]?.newLink.newAccount;
    if (newAccount) {
      const account = JSON.stringify(toNewAccountRow(newAccount));
      const values = [accountId, account, JSON.stringify(calls.map(toCallRow))];
      this.#decideRows(calls, await this.#database.write<OutcomeRow>(ADD_LINKS, values));
      return;
    }
    const { rows, errors } = await this.#database.transaction(async (query) => {
      const all = calls.map(({ newLink }) => newLink.by);
      const { errors } = await lockForAll(query, accountId, all);
      const callRows = calls.map(toCallRow).filter(({ call }) => !errors[call]);
      const values = [accountId, null, JSON.stringify(callRows)];
      return { rows: await query<OutcomeRow>(ADD_LINKS, values), errors };
    });
    for (const [call, error] of errors.entries()) if (error) calls[call]?.decided.reject(error);
    this.#decideRows(calls, rows);
  }

  async #import(accountId: string, calls: Call[]): Promise<void> {
    const outcomes = await this.#database.transaction((query) =>
      addImported(query, accountId, calls),
    );
    for (const [place, outcome] of outcomes.entries()) {
      const call = calls[place] as Call;
      if (outcome instanceof Error) call.decided.reject(outcome);
      else this.#decide(call, outcome);
    }
  }

  #decideRows(calls: Call[], rows: OutcomeRow[]): void {
    for (const row of rows) {
      const call = calls[row.call] as Call;
      this.#decide(call, toOutcome(call, row));
    }
  }

  #decide(call: Call, outcome: AddLinkOutcome): void {
    const { link, aliases, decided } = call;
    const next = outcome.kind === 'alias_taken' ? aliases.next() : undefined;
    if (next && !next.done) {
      this.#enqueue({ ...call, link: { ...link, alias: next.value } });
      return;
    }
    if (outcome.kind === 'added') this.#onAdded(outcome.link);
    decided.resolve(outcome);
  }
}

/** The columns that `add_links` takes. */
export function toCallRow({ link, newLink }: Pick<Call, 'link' | 'newLink'>, call: number) {
  const { idempotency, quota } = newLink;
  return {
    call,
    ...toLinkRow(link),
    month: monthOf(link.created),
    quota: Number.isFinite(quota) ? quota : null,
    key_hash: idempotency?.keyHash,
    body_hash: idempotency?.bodyHash,
    token_salt: idempotency?.tokenSalt,
    keys_until: link.created - IDEMPOTENCY_WINDOW_MS,
  };
}

function toOutcome({ link, newLink }: Call, row: OutcomeRow): AddLinkOutcome {
  const { outcome: kind, used_in_month, body_hash, token_salt, link: original } = row;
  if (kind === 'added') return { kind, link, usedInMonth: used_in_month ?? 0 };
  if (kind !== 'replayed') return { kind };
  return {
    kind,
    replay: {
      keyHash: newLink.idempotency?.keyHash as string,
      bodyHash: body_hash as string,
      tokenSalt: token_salt,
      link: fromLinkJson(original as LinkJson, 0),
    },
  };
}

/** With what the first token needs. */
function toNewAccountRow(account: Account) {
  const { tokenHash: token_hash, created } = account;
  return { ...toAccountRow(account), token_hash, created };
}
