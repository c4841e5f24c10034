/** How long hits may be delayed, and how many milliseconds of hits a crash may lose. */
const WRITE_MS = 1000;
/** More would make a line that takes too long to write. */
const MAX_LINKS_A_LINE = 5000;

/** Resolves once the members are on disk as a line. */
type Commit = (members: string) => Promise<void>;

/** Sums up hits and writes the sums at most once per second. */
export class HitCounter {
  readonly #commit: Commit;
  readonly #idOf: (link: number) => string | undefined;
  readonly #onError: (error: unknown) => void;
  /** By the link's number in the table, so that a visit does not have to hash an id. */
  #sums = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param idOf undefined for a link that was erased */
  constructor(
    commit: Commit,
    idOf: (link: number) => string | undefined,
    onError: (error: unknown) => void,
  ) {
    this.#commit = commit;
    this.#idOf = idOf;
    this.#onError = onError;
  }

  count(link: number, hits = 1): void {
    this.#sums.set(link, (this.#sums.get(link) ?? 0) + hits);
    this.#timer ??= setTimeout(() => this.#write().catch(this.#onError), WRITE_MS);
  }

  /** Hits that were not written yet. The caller writes them, or counts them again. */
  take(link: number): number {
    const hits = this.#sums.get(link) ?? 0;
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

  async #commitPart(part: [link: number, hits: number][]): Promise<void> {
    try {
      await this.#commit(`"hits":${JSON.stringify(this.#byId(part))}`);
    } catch (error) {
      this.#putBack(part);
      throw error;
    }
  }

  #byId(sums: [link: number, hits: number][]): [id: string, hits: number][] {
    return sums.flatMap(([link, hits]) => {
      const id = this.#idOf(link);
      return id === undefined ? [] : [[id, hits]];
    });
  }

  /** Restores hits of a failed write, for the next one. */
  #putBack(sums: [link: number, hits: number][]): void {
    for (const [link, hits] of sums) this.count(link, hits);
  }
}
