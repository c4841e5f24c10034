import type { Block, BlockKind } from '../../../../shared/admin/blocks.ts';
import { formatCount, formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { Admin } from '../admin.ts';
import type { AdminApi } from '../api/admin-api.ts';
import type { Actions } from './actions.tsx';
import { ConfirmAction } from './ConfirmAction.tsx';

type BlockButtonProps = {
  admin: Admin;
  actions: Actions;
  blocked: Blocked;
  /** The name of what is blocked, as people know it. @default its value */
  name?: string;
  /** Whether the form that names what to block is valid. */
  isValid?: () => boolean;
};

/** Blocks a link, a host or an account. */
export function BlockButton({ admin, actions, blocked, name, isValid }: BlockButtonProps) {
  const shown = name || blocked.value;

  async function block(reason: string): Promise<void> {
    /** A block that was there already, whose reason is replaced. */
    let before: Block | undefined;
    await actions.run(
      async (client) => {
        const blocks = await client.adminListBlocks();
        if (!blocks.ok) return blocks;
        const result = await client.adminAddBlock({ body: { ...blocked, reason } });
        if (!result.ok) return result;
        const { kind, value } = result.data;
        before = blocks.data.find((each) => each.kind === kind && each.value === value);
        return result;
      },
      t('admin_blocked', shown),
      (client) =>
        before
          ? client.adminAddBlock({ body: { ...blocked, reason: before.reason } })
          : client.adminRemoveBlock({ kind: blocked.kind, value: blocked.value }),
    );
  }

  return (
    <ConfirmAction
      label={t('admin_block')}
      ariaLabel={t('label_of', t('admin_block'), shown)}
      title={t('admin_block_question', shown)}
      confirm={t('admin_block_confirm')}
      consequences={() => blockConsequences(admin.api, blocked)}
      reasonHint={t(blocked.kind === 'account' ? 'admin_reason_owner' : 'admin_reason_hidden')}
      {...(isValid && { isValid })}
      onConfirm={block}
    />
  );
}

/** Ends a block, whose reason is needed to take that back. */
export function UnblockButton({
  admin,
  actions,
  blocked,
  name,
  reason,
}: BlockButtonProps & { reason: string }) {
  const shown = name || blocked.value;
  return (
    <ConfirmAction
      label={t('admin_unblock')}
      ariaLabel={t('label_of', t('admin_unblock'), shown)}
      title={t('admin_unblock_question', shown)}
      confirm={t('admin_unblock_confirm')}
      consequences={() => unblockConsequences(admin.api, blocked)}
      onConfirm={() =>
        actions.run(
          (client) => client.adminRemoveBlock({ kind: blocked.kind, value: blocked.value }),
          t('admin_unblocked', shown),
          (client) => client.adminAddBlock({ body: { ...blocked, reason } }),
        )
      }
    />
  );
}

type Blocked = { kind: BlockKind; value: string };

/** What a block does to the links that it concerns, and to others. */
async function blockConsequences(api: AdminApi, blocked: Blocked): Promise<string[]> {
  const links = await countText(api, blocked, 'admin_block_text', 'admin_block_many_text');
  if (blocked.kind === 'link') return [links];
  return [links, t(blocked.kind === 'host' ? 'admin_block_host_text' : 'admin_block_account_text')];
}

async function unblockConsequences(api: AdminApi, blocked: Blocked): Promise<string[]> {
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
  const result = await api.call((client) => client.adminCountLinks(query));
  if (!result.ok) return t('admin_count_failed');
  const { count, isComplete } = result.data;
  return isComplete ? formatCount(key, count) : t(manyKey, formatNumber(count));
}
