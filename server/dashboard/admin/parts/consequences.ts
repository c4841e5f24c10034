import type { BlockKind } from '../../../../shared/admin/blocks.ts';
import { formatCount, formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { AdminApi } from '../api/admin-api.ts';

export type Blocked = { kind: BlockKind; value: string };

/** What a block does to the links that it concerns, and to others. */
export async function blockConsequences(api: AdminApi, blocked: Blocked): Promise<string[]> {
  const links = await countText(api, blocked, 'admin_block_text', 'admin_block_many_text');
  if (blocked.kind === 'link') return [links];
  return [links, t(blocked.kind === 'host' ? 'admin_block_host_text' : 'admin_block_account_text')];
}

export async function unblockConsequences(api: AdminApi, blocked: Blocked): Promise<string[]> {
  return [await countText(api, blocked, 'admin_unblock_text', 'admin_unblock_many_text')];
}

async function countText(
  api: AdminApi,
  { kind, value }: Blocked,
  key: 'admin_block_text' | 'admin_unblock_text',
  manyKey: 'admin_block_many_text' | 'admin_unblock_many_text',
): Promise<string> {
  if (kind === 'link') return formatCount(key, 1);
  const query = kind === 'host' ? { host: value } : { accountId: value };
  const result = await api.call((client) => client.countLinks(query));
  if (!result.ok) return t('admin_count_failed');
  const { count, isComplete } = result.data;
  return isComplete ? formatCount(key, count) : t(manyKey, formatNumber(count));
}
