const SHARDS = 64;

/**
 * A map from texts in 64 parts. A `Map` that grows past a million keys hashes them all again, which stops
 * the process for 170 ms; of this one, only a part grows at a time.
 */
export class ShardedMap<Value> {
  readonly #shards = Array.from({ length: SHARDS }, () => new Map<string, Value>());

  get(key: string): Value | undefined {
    return this.#shardOf(key).get(key);
  }

  set(key: string, value: Value): void {
    this.#shardOf(key).set(key, value);
  }

  delete(key: string): void {
    this.#shardOf(key).delete(key);
  }

  get size(): number {
    return this.#shards.reduce((sum, { size }) => sum + size, 0);
  }

  *entries(): Generator<[key: string, value: Value]> {
    for (const shard of this.#shards) yield* shard;
  }

  /** By the last characters: those of generated ids and aliases are random. */
  #shardOf(key: string): Map<string, Value> {
    const { length } = key;
    const mix = key.charCodeAt(length - 1) * 31 + key.charCodeAt(length - 2) * 7 + length;
    return this.#shards[mix & (SHARDS - 1)] as Map<string, Value>;
  }
}
