import type { Block, Blocks } from '../../blocks.ts';
import { addBlock, removeBlock } from '../../decide/blocks.ts';
import { BlockTable } from '../../records/block-table.ts';
import { blockKey } from '../../records.ts';
import type { Changes } from '../changes/changes.ts';
import type { Database } from '../database/database.ts';

const READ = 'SELECT key, reason, since FROM blocks ORDER BY since, key';
const ACCOUNT_OF_LINK = 'SELECT account_id FROM visible_links WHERE id = $1';

/** All blocks in the database. */
export async function readBlocks(database: Database): Promise<Blocks> {
  const table = new BlockTable();
  type Row = { key: string; reason: string; since: number };
  for (const { key, ...content } of await database.read<Row>(READ)) table.set(key, content);
  return table;
}

/** Adds and removes blocks. */
export class BlockList {
  readonly #database: Database;
  readonly #changes: Changes;

  constructor(database: Database, changes: Changes) {
    this.#database = database;
    this.#changes = changes;
  }

  /**
   * See `Administration.addBlock`. Locks the account, so that neither it nor its link is erased meanwhile,
   * which would leave the block.
   */
  async add(block: Block): Promise<boolean> {
    const { kind, value } = block;
    if (kind === 'host') return this.#changes.make({ accounts: [] }, () => addBlock(block, true));
    const owner = kind === 'link' ? await this.#ownerOf(value) : value;
    if (owner === undefined) return false;
    const links = kind === 'link' ? [value] : [];
    return this.#changes.make({ accounts: [owner], links }, (view) => {
      const isThere =
        kind === 'link' ? view.link(value)?.accountId === owner : view.account(owner) !== undefined;
      return addBlock(block, isThere);
    });
  }

  /** See `Administration.removeBlock`. */
  remove(block: Pick<Block, 'kind' | 'value'>): Promise<boolean> {
    const key = blockKey(block);
    return this.#changes.make({ accounts: [], blocks: [key] }, (view) =>
      removeBlock(block, view.block(key) !== undefined),
    );
  }

  async #ownerOf(linkId: string): Promise<string | undefined> {
    const [row] = await this.#database.read<{ account_id: string }>(ACCOUNT_OF_LINK, [linkId]);
    return row?.account_id;
  }
}
