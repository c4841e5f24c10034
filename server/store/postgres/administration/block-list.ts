import type { Block, Blocks } from '../../blocks.ts';
import { BlockTable } from '../../records/block-table.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import { type ChangeContext, commitChange } from '../changes/commit-change.ts';
import type { Query, Statement } from '../database/statement.ts';

const READ: Statement = {
  name: 'read_blocks',
  text: 'SELECT kind, value, reason, since FROM blocks ORDER BY since, kind, value',
};
const ADD: Statement = {
  name: 'add_block',
  text: `INSERT INTO blocks (kind, value, reason, since) VALUES ($1, $2, $3, $4)
    ON CONFLICT (kind, value) DO UPDATE SET reason = excluded.reason, since = excluded.since`,
};
const REMOVE: Statement = {
  name: 'remove_block',
  text: 'DELETE FROM blocks WHERE kind = $1 AND value = $2 RETURNING value',
};
const ACCOUNT_OF_LINK: Statement = {
  name: 'account_of_link',
  text: 'SELECT account_id FROM aliases WHERE id = $1',
};

/** All blocks, which are in memory and read again when a server changes them. */
export class BlockList {
  readonly #context: ChangeContext;
  #table: Blocks = new BlockTable();
  #loading: Promise<void> = Promise.resolve();

  constructor(context: ChangeContext) {
    this.#context = context;
    context.feed.listen((notice) => (notice === 'all' || notice.blocks ? this.load() : undefined));
  }

  /** See `Store.blocks`. */
  get current(): Blocks {
    return this.#table;
  }

  /** Reads all blocks, one time after the other: what was committed before the call is in effect then. */
  load(): Promise<void> {
    const load = () => this.#load();
    this.#loading = this.#loading.then(load, load);
    return this.#loading;
  }

  /** See `Administration.addBlock`. */
  async add(block: Block): Promise<boolean> {
    const { kind, value, reason, since } = block;
    const owner = await this.#ownerOf(block);
    if (kind !== 'host' && owner === undefined) return false;
    return commitChange(this.#context, owner ?? [], async (query, tell) => {
      if (owner !== undefined && !(await mayBlock(query, block, owner))) return false;
      await query(ADD, [kind, value, reason, since]);
      await tell({ blocks: true });
      return true;
    });
  }

  /** See `Administration.removeBlock`. */
  remove({ kind, value }: Pick<Block, 'kind' | 'value'>): Promise<boolean> {
    return commitChange(this.#context, [], async (query, tell) => {
      const removed = await query(REMOVE, [kind, value]);
      if (removed.length > 0) await tell({ blocks: true });
      return removed.length > 0;
    });
  }

  async #load(): Promise<void> {
    const table = new BlockTable();
    for (const block of await this.#context.database.read<Block>(READ)) table.add(block);
    this.#table = table;
  }

  /** The account that is blocked, or that has the link. */
  async #ownerOf({ kind, value }: Block): Promise<string | undefined> {
    if (kind !== 'link') return kind === 'account' ? value : undefined;
    const [row] = await this.#context.database.read<{ account_id: string }>(ACCOUNT_OF_LINK, [
      value,
    ]);
    return row?.account_id;
  }
}

/** Locks the account, so that neither it nor its link is erased meanwhile, which would leave the block. */
async function mayBlock(query: Query, { kind, value }: Block, owner: string): Promise<boolean> {
  if (!(await lockAccount(query, owner, { kind: 'administrator' }))) return false;
  if (kind === 'account') return true;
  const [row] = await query<{ account_id: string }>(ACCOUNT_OF_LINK, [value]);
  return row?.account_id === owner;
}
