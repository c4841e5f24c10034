import type { Block, BlockKind, Blocks } from '../blocks.ts';
import { blockKey, splitKey } from '../records.ts';

type BlockRecord = [kind: 'block', key: string, content: Pick<Block, 'reason' | 'since'>];

/** All blocks. Operators make few of them. */
export class BlockTable implements Blocks {
  readonly link = new Map<string, Block>();
  readonly host = new Map<string, Block>();
  readonly account = new Map<string, Block>();

  /** @param key see `blockKey` */
  get(key: string): Block | undefined {
    const [kind, value] = splitKey(key) as [BlockKind, string];
    return this[kind].get(value);
  }

  /** @param content null to remove it */
  set(key: string, content: BlockRecord[2] | null): void {
    const [kind, value] = splitKey(key) as [BlockKind, string];
    if (content) this[kind].set(value, { kind, value, ...content });
    else this.delete({ kind, value });
  }

  delete({ kind, value }: Pick<Block, 'kind' | 'value'>): void {
    this[kind].delete(value);
  }

  *records(): Generator<BlockRecord> {
    for (const blocks of [this.link, this.host, this.account]) {
      for (const block of blocks.values()) {
        const { kind: _kind, value: _value, ...content } = block;
        yield ['block', blockKey(block), content];
      }
    }
  }
}
