/** How long hits may be delayed, and how many milliseconds of hits a crash may lose. */
const WRITE_MS = 1000;
/** More would make a line that takes too long to write. */
const MAX_LINKS_A_LINE = 5000;

/** Hits of a link that were not written yet. */
type Sum = { id: string; hits: number };

/** Resolves once the members are on disk as a line. */
type Commit = (members: string) => Promise<void>;

/** Sums up hits and writes the sums at most once per second. */
export class HitCounter {
  readonly #commit: Commit;
  readonly #isErased: (link: number) => boolean;
  readonly #onError: (error: unknown) => void;
  /** By the link's number in the table, so that a visit does not have to hash an id. */
  #sums = new Map<number, Sum>();
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

  count(link: number, id: string, hits = 1): void {
    const sum = this.#sums.get(link);
    if (sum) {
      sum.hits += hits;
      return;
    }
    this.#sums.set(link, { id, hits });
    this.#timer ??= setTimeout(() => this.#write().catch(this.#onError), WRITE_MS);
  }

  /** Hits that were not written yet. The caller writes them, or counts them again. */
  take(link: number): number {
    const hits = this.#sums.get(link)?.hits ?? 0;
    this.#sums.delete(link);
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
    const sums = [...this.#sums];
    this.#sums = new Map();
    const lines: Promise<void>[] = [];
    for (let start = 0; start < sums.length; start += MAX_LINKS_A_LINE) {
      const part = sums.slice(start, start + MAX_LINKS_A_LINE);
      lines.push(this.#commitPart(part));
    }
    await Promise.all(lines);
  }

  async #commitPart(part: [link: number, sum: Sum][]): Promise<void> {
    const known = part.filter(([link]) => !this.#isErased(link));
    try {
      await this.#commit(`"hits":${JSON.stringify(known.map(([, { id, hits }]) => [id, hits]))}`);
    } catch (error) {
      // For the next write.
      for (const [link, { id, hits }] of part) this.count(link, id, hits);
      throw error;
    }
  }
}
