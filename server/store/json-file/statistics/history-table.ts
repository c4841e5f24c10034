import type { History } from '../../statistics/history.ts';
import { ByteSlots } from './byte-slots.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { type LineKeys, readHistory, writeHistory, writeVisits } from './history-bytes.ts';
import type { LinkVisitsJson } from './visits-json.ts';

/**
 * A tail is merged once it is longer than this, plus up to as much again, by slot: links that are visited
 * equally often must not all be merged at once.
 */
const TAIL_MIN_BYTES = 256;
const TAIL_MAX_BYTES = 8 * 1024;
/** A tail may have this part of its base. */
const TAIL_PART = 1 / 4;

/**
 * Histories as bytes. Visits are appended to a history, which takes less than a microsecond, and now and
 * then merged with it, which takes up to milliseconds.
 */
export class HistoryTable {
  readonly #slots = new ByteSlots();
  readonly #writer = new ByteWriter();
  readonly #rollsUp: boolean;

  /** @param rollsUp whether merging also sums up what is too old for its precision */
  constructor({ rollsUp }: { rollsUp: boolean }) {
    this.#rollsUp = rollsUp;
  }

  create(): number {
    return this.#slots.create();
  }

  remove(slot: number): void {
    this.#slots.remove(slot);
  }

  add(slot: number, visits: LinkVisitsJson, keys: LineKeys): void {
    writeVisits(this.#writer.clear(), visits, keys);
    this.#slots.append(slot, this.#writer.bytes);
    const allowed = Math.min(TAIL_MAX_BYTES, this.#slots.baseLength(slot) * TAIL_PART);
    const spread = (slot * 37) % TAIL_MIN_BYTES;
    if (this.#slots.tailLength(slot) <= Math.max(TAIL_MIN_BYTES, allowed) + spread) return;
    const history = this.read(slot);
    this.write(slot, this.#rollsUp ? history.rollUp() : history);
  }

  read(slot: number): History {
    const hasBase = this.#slots.baseLength(slot) > 0;
    return readHistory(new ByteReader(this.#slots.read(slot)), hasBase);
  }

  write(slot: number, history: History): void {
    writeHistory(this.#writer.clear(), history);
    this.#slots.replace(slot, this.#writer.bytes);
  }

  /** With unused space. */
  get memoryBytes(): number {
    return this.#slots.memoryBytes;
  }

  /** Bytes of a history, without unused space. */
  lengthOf(slot: number): number {
    return this.#slots.baseLength(slot) + this.#slots.tailLength(slot);
  }
}
