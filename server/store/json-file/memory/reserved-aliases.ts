import { KeyIndex } from './key-index.ts';
import { RecordArena } from './record-arena.ts';

/**
 * Aliases that no link has any more and that only their account can use again; about 60 bytes each.
 * Each is stored as text: the alias in lower case, a space, and the account's id.
 */
export class ReservedAliases {
  readonly #records = new RecordArena();
  readonly #byAlias = new KeyIndex();
  /** Numbers of records that can be used again. */
  readonly #free: number[] = [];
  #count = 0;

  /** @param accountId an empty string if nobody can use it again */
  add(alias: string, accountId: string): void {
    const key = alias.toLowerCase();
    this.delete(key);
    const text = `${key} ${accountId}`;
    const reused = this.#free.pop();
    if (reused !== undefined) this.#records.rewrite(reused, text);
    this.#byAlias.add(key, reused ?? this.#records.add(text));
    this.#count++;
  }

  delete(alias: string): void {
    const key = alias.toLowerCase();
    const number = this.#find(key);
    if (number === undefined) return;
    this.#byAlias.remove(key, number);
    this.#records.erase(number);
    this.#free.push(number);
    this.#count--;
  }

  /** The id of the account; an empty string if nobody can use it; undefined if it is not reserved. */
  ownerOf(alias: string): string | undefined {
    const key = alias.toLowerCase();
    const number = this.#find(key);
    return number === undefined
      ? undefined
      : this.#records
          .text(number)
          .slice(key.length + 1)
          .trimEnd();
  }

  #find(key: string): number | undefined {
    if (this.#count === 0) return undefined;
    return this.#byAlias.find(key, (number) =>
      this.#records.beginsWith(number, `${key} `) ? number : undefined,
    );
  }
}
