import type {
  BlockKind,
  Block as BlockRecord,
  NewBlockRequest,
} from '../../shared/admin/blocks.ts';
import { type Domains, toStoredAlias } from '../domains/short-domains.ts';
import { parseHost } from '../lib/host-name.ts';
import { invalidField, ServiceError } from '../lib/service-error.ts';
import { isoTime } from '../links/to-link-record.ts';
import type { Authorization } from '../store/account.ts';
import type { Block } from '../store/blocks.ts';
import { unknownAccount } from './accounts.ts';
import { type AuditDependencies, audited } from './audit.ts';

export type BlockDependencies = AuditDependencies & { domains: Domains };

/** What a block names: links are stored by their ID, because their aliases can change. */
type Target = Pick<Block, 'kind' | 'value'> & {
  name: string;
  /** What a link was found by. */
  alias?: string;
};

/**
 * Blocks a link, a host or an account, or gives a block another reason. In effect from the next visit.
 *
 * @throws ServiceError `invalid_request`, `not_found`
 */
export async function addBlock(
  { kind, value, reason }: NewBlockRequest,
  by: Authorization,
  dependencies: BlockDependencies,
): Promise<BlockRecord> {
  const target = await findTarget(kind, value, dependencies);
  const block = { kind, value: target.value, reason, since: dependencies.clock() };
  const details = { reason };
  const entry = { action: 'block.add', target: describe(target), details, by } as const;
  await audited(dependencies, entry, async () => {
    const { administration } = dependencies.store;
    if (!(await administration.addBlock(block, target.alias))) throw notFound(kind, value);
  });
  return toRecord(block, target.name);
}

/** @throws ServiceError `not_found` */
export async function removeBlock(
  { kind, value }: Pick<NewBlockRequest, 'kind' | 'value'>,
  by: Authorization,
  dependencies: BlockDependencies,
): Promise<void> {
  const target = await findTarget(kind, value, dependencies);
  const { blocks, administration } = dependencies.store;
  if (!blocks[kind].has(target.value)) throw notBlocked(kind, value);
  const entry = { action: 'block.remove', target: describe(target), details: {}, by } as const;
  await audited(dependencies, entry, async () => {
    if (!(await administration.removeBlock(target))) throw notBlocked(kind, value);
  });
}

/** Lists all blocks, newest first. */
export async function listBlocks({ store }: AuditDependencies): Promise<BlockRecord[]> {
  const { link, host, account } = store.blocks;
  const blocks = [...link.values(), ...host.values(), ...account.values()];
  blocks.sort((one, other) => other.since - one.since);
  const records: BlockRecord[] = [];
  for (const block of blocks) {
    const found =
      block.kind === 'link' ? await store.administration.findLinkById(block.value) : undefined;
    records.push(toRecord(block, found?.alias ?? block.value));
  }
  return records;
}

async function findTarget(
  kind: BlockKind,
  value: string,
  dependencies: BlockDependencies,
): Promise<Target> {
  const { store, domains } = dependencies;
  switch (kind) {
    case 'link': {
      const alias = toStoredAlias(value, domains.first, domains);
      const link = await store.findLink(alias);
      if (!link) throw notFound(kind, value);
      return { kind, value: link.id, name: link.alias, alias };
    }
    case 'account': {
      if (!(await store.administration.findAccount(value))) throw notFound(kind, value);
      return { kind, value, name: value };
    }
    case 'host': {
      const host = parseHost(value);
      if (host === undefined) throw invalidHost('value');
      return { kind, value: host, name: host };
    }
  }
}

/** @param path the field that has the host */
export function invalidHost(path: string): ServiceError {
  const message = 'Must be a host, such as example.com, without a protocol, a port or a path.';
  return invalidField(path, message);
}

function toRecord({ kind, reason, since }: Block, value: string): BlockRecord {
  return { kind, value, reason, since: isoTime(since) };
}

function describe({ kind, value, name }: Target): string {
  return value === name ? `${kind} ${value}` : `${kind} ${name} (${value})`;
}

function notFound(kind: BlockKind, value: string): ServiceError {
  return kind === 'account'
    ? unknownAccount(value)
    : new ServiceError('not_found', `There is no link with the alias "${value}".`);
}

function notBlocked(kind: BlockKind, value: string): ServiceError {
  return new ServiceError('not_found', `The ${kind} "${value}" is not blocked.`);
}
