import type { Block } from '../../../../shared/admin/blocks.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { Admin } from '../admin.ts';
import type { Actions } from './actions.ts';
import { ConfirmAction } from './ConfirmAction.tsx';
import { type Blocked, blockConsequences, unblockConsequences } from './consequences.ts';

export type BlockButtonProps = {
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
        const blocks = await client.listBlocks();
        if (!blocks.ok) return blocks;
        const result = await client.block({ ...blocked, reason });
        if (!result.ok) return result;
        const { kind, value } = result.data;
        before = blocks.data.find((each) => each.kind === kind && each.value === value);
        return result;
      },
      t('admin_blocked', shown),
      (client) =>
        before
          ? client.block({ ...blocked, reason: before.reason })
          : client.unblock(blocked.kind, blocked.value),
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
          (client) => client.unblock(blocked.kind, blocked.value),
          t('admin_unblocked', shown),
          (client) => client.block({ ...blocked, reason }),
        )
      }
    />
  );
}
