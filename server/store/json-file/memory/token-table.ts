import type { Token } from '../../account.ts';
import { fromTokenJson, type TokenJson } from '../../records/account-json.ts';
import { Column } from './column.ts';
import { KeyIndex } from './key-index.ts';
import { RecordArena } from './record-arena.ts';

/** The tokens of accounts besides each one's first token. */
export class TokenTable {
  readonly #records = new RecordArena();
  readonly #byHash = new KeyIndex();
  /** Numbers of the tokens, oldest first. Most accounts have only their first token. */
  readonly #ofAccount = new Map<string, number[]>();
  /** The day of the last use. */
  readonly #usedOn = new Column(Uint32Array);

  add({ usedOn = 0, ...token }: TokenJson): void {
    const number = this.#records.add(JSON.stringify(token));
    this.#byHash.add(token.tokenHash, number);
    this.#usedOn.set(number, 0, usedOn);
    const numbers = this.#ofAccount.get(token.accountId);
    if (numbers) numbers.push(number);
    else this.#ofAccount.set(token.accountId, [number]);
  }

  find(tokenHash: string): Token | undefined {
    return this.#byHash.find(tokenHash, (number) => {
      const token = this.#read(number);
      return token.tokenHash === tokenHash ? token : undefined;
    });
  }

  list(accountId: string): Token[] {
    return (this.#ofAccount.get(accountId) ?? []).map((number) => this.#read(number));
  }

  revoke(accountId: string, id: string): void {
    const numbers = this.#ofAccount.get(accountId) ?? [];
    const number = this.#numberOf(accountId, id);
    if (number === undefined) return;
    this.#erase(number);
    if (numbers.length === 1) this.#ofAccount.delete(accountId);
    else numbers.splice(numbers.indexOf(number), 1);
  }

  revokeAll(accountId: string): void {
    for (const number of this.#ofAccount.get(accountId) ?? []) this.#erase(number);
    this.#ofAccount.delete(accountId);
  }

  /** @returns whether that is later than before; false for an unknown token */
  use(accountId: string, id: string, day: number): boolean {
    const number = this.#numberOf(accountId, id);
    if (number === undefined || this.#usedOn.get(number) >= day) return false;
    this.#usedOn.set(number, 0, day);
    return true;
  }

  #numberOf(accountId: string, id: string): number | undefined {
    const beginning = `{"id":${JSON.stringify(id)},`;
    return this.#ofAccount
      .get(accountId)
      ?.find((number) => this.#records.beginsWith(number, beginning));
  }

  #read(number: number): Token {
    return fromTokenJson(this.#records.read<TokenJson>(number), this.#usedOn.get(number));
  }

  #erase(number: number): void {
    this.#byHash.remove(this.#read(number).tokenHash, number);
    this.#records.erase(number);
  }
}
