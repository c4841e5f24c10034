import type { Block, BlockKind, Blocks } from '../blocks.ts';

/** All blocks. Operators make few of them. */
export class BlockTable implements Blocks {
  readonly link = new Map<string, Block>();
  readonly host = new Map<string, Block>();
  readonly account = new Map<string, Block>();

  add(block: Block): void {
    this[block.kind].set(block.value, block);
  }

  delete(kind: BlockKind, value: string): boolean {
    return this[kind].delete(value);
  }
}
