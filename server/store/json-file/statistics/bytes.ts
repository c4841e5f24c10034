const FIRST_CAPACITY = 1024;
const MORE = 0x80;

/** Writes numbers and texts one after the other. Numbers take 7 bits per byte, least significant first. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(FIRST_CAPACITY);
  #length = 0;

  /** What was written since `clear`. Valid until the next write. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): this {
    this.#length = 0;
    return this;
  }

  /** @param value a whole number from 0 to 2^53 - 1 */
  number(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= MORE) {
      this.#bytes[this.#length++] = (rest % MORE) | MORE;
      rest = Math.floor(rest / MORE);
    }
    this.#bytes[this.#length++] = rest;
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.number(length);
    this.#reserve(length);
    this.#length += this.#bytes.write(value, this.#length);
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#bytes.length + length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** Reads what a `ByteWriter` wrote. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= MORE) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte & (MORE - 1)) * factor;
      if (byte < MORE) return value;
    }
  }

  text(): string {
    const length = this.number();
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }
}
