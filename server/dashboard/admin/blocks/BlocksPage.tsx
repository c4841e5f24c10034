import { useSignal } from '@preact/signals';
import type { Block, BlockKind } from '../../../../shared/admin/blocks.ts';
import { formatDay } from '../../../../shared/i18n/format-time.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { BLOCKED_VALUE_MAX_CHARACTERS } from '../../../../shared/limits.ts';
import { InputField, SelectField } from '../../../../shared/ui/Field.tsx';
import { accountPath } from '../accounts/account-texts.ts';
import type { Admin, AdminPageProps } from '../admin.ts';
import { ActionNotice, type Actions } from '../parts/actions.tsx';
import { BlockButton, UnblockButton } from '../parts/BlockButton.tsx';
import { allInOne, type Column, Table, useList } from '../parts/Table.tsx';
import { needed, useTyped } from '../parts/typed.ts';

/** Renders what is blocked, and a form for more. */
export function BlocksPage({ admin }: AdminPageProps) {
  const { list, actions } = useList(admin, async (client) => allInOne(await client.listBlocks()));

  const columns: Column<Block>[] = [
    {
      label: t('admin_value'),
      cell: ({ kind, value }) =>
        kind === 'account' ? (
          <a href={accountPath(value)}>{value}</a>
        ) : (
          <bdi dir="ltr">{value}</bdi>
        ),
    },
    { label: t('admin_kind'), cell: ({ kind }) => t(KIND_LABELS[kind]) },
    { label: t('admin_reason'), cell: ({ reason }) => <bdi>{reason}</bdi>, look: 'long' },
    { label: t('admin_since'), cell: ({ since }) => formatDay(since) },
    {
      label: t('admin_action'),
      cell: ({ kind, value, reason }) => (
        <UnblockButton admin={admin} actions={actions} blocked={{ kind, value }} reason={reason} />
      ),
    },
  ];

  return (
    <>
      <ActionNotice actions={actions} />
      <Table
        list={list}
        label={t('admin_blocks')}
        columns={columns}
        keyOf={({ kind, value }) => `${kind} ${value}`}
        empty={t('admin_blocks_none')}
      />
      <NewBlock admin={admin} actions={actions} />
    </>
  );
}

/** Blocks a link, a host or an account. The dialog asks for the reason. */
function NewBlock({ admin, actions }: { admin: Admin; actions: Actions }) {
  const kind = useSignal<BlockKind>('host');
  const value = useTyped(needed('admin_value_missing'));
  return (
    <section class="card" aria-labelledby="new-block-heading">
      <h2 id="new-block-heading" tabIndex={-1}>
        {t('admin_new_block')}
      </h2>
      <div class="form-line">
        <SelectField
          label={t('admin_kind')}
          name="kind"
          options={KINDS.map((each) => ({ value: each, label: t(KIND_LABELS[each]) }))}
          value={kind.value}
          onChoose={(chosen) => {
            kind.value = chosen;
          }}
        />
        <InputField
          label={t('admin_value')}
          {...value.field}
          name="value"
          isUrl
          maxLength={BLOCKED_VALUE_MAX_CHARACTERS}
        />
      </div>
      <div class="buttons">
        <BlockButton
          admin={admin}
          actions={actions}
          blocked={{ kind: kind.value, value: value.text }}
          isValid={value.check}
        />
      </div>
    </section>
  );
}

const KIND_LABELS = {
  link: 'admin_kind_link',
  host: 'admin_kind_host',
  account: 'account_heading',
} as const satisfies Record<BlockKind, string>;

const KINDS = Object.keys(KIND_LABELS) as BlockKind[];
