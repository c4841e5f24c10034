import { Column } from '../memory/column.ts';

/** How long hits may be delayed, and how many milliseconds of hits a crash may lose. */
const WRITE_MS = 1000;
/** More would make a line that takes too long to write. */
const MAX_LINKS_A_LINE = 5000;

type CountedLink = { number: number; id: string };

/** Resolves once the members are on disk as a line. */
type Commit = (members: string) => Promise<void>;

/** Sums up hits and writes the sums at most once per second. */
export class HitCounter {
  readonly #commit: Commit;
  readonly #isErased: (link: number) => boolean;
  readonly #onError: (error: unknown) => void;
  /** Hits that were not written yet, by the link's number. */
  readonly #unwritten = new Column(Uint32Array);
  /** All links that have such hits. Those whose hits were taken are in here, too, some of them twice. */
  #links: CountedLink[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param isErased by the number of a link */
  constructor(
    commit: Commit,
    isErased: (link: number) => boolean,
    onError: (error: unknown) => void,
  ) {
    this.#commit = commit;
    this.#isErased = isErased;
    this.#onError = onError;
  }

  /** @param number of the link in the table, so that a visit does not have to hash its id */
  count(number: number, id: string, hits = 1): void {
    const before = this.#unwritten.get(number);
    this.#unwritten.set(number, 0, before + hits);
    if (before > 0) return;
    this.#links.push({ number, id });
    this.#timer ??= setTimeout(() => this.#write().catch(this.#onError), WRITE_MS);
  }

  /** Hits that were not written yet. The caller writes them, or counts them again. */
  take(number: number): number {
    const hits = this.#unwritten.get(number);
    if (hits > 0) this.#unwritten.set(number, 0, 0);
    return hits;
  }

  /** Writes the remaining hits. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await this.#write();
    } finally {
      clearTimeout(this.#timer);
    }
  }

  async #write(): Promise<void> {
    this.#timer = undefined;
    const links = this.#links;
    this.#links = [];
    const lines: Promise<void>[] = [];
    for (let start = 0; start < links.length; start += MAX_LINKS_A_LINE) {
      lines.push(this.#commitPart(links.slice(start, start + MAX_LINKS_A_LINE)));
    }
    await Promise.all(lines);
  }

  async #commitPart(part: CountedLink[]): Promise<void> {
    const counted: [link: CountedLink, hits: number][] = [];
    for (const link of part) {
      const hits = this.take(link.number);
      if (hits > 0 && !this.#isErased(link.number)) counted.push([link, hits]);
    }
    if (counted.length === 0) return;
    try {
      await this.#commit(`"hits":${JSON.stringify(counted.map(([{ id }, hits]) => [id, hits]))}`);
    } catch (error) {
      // For the next write.
      for (const [{ number, id }, hits] of counted) this.count(number, id, hits);
      throw error;
    }
  }
}
