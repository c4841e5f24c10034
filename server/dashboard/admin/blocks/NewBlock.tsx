import { useSignal } from '@preact/signals';
import type { BlockKind } from '../../../../shared/admin/blocks.ts';
import { BLOCKED_VALUE_MAX_CHARACTERS } from '../../../../shared/bounds.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { InputField, SelectField } from '../../../../shared/ui/Field.tsx';
import type { ListFormProps } from '../lists/ListPage.tsx';
import { BlockButton } from '../parts/BlockButton.tsx';
import { needed, useTyped } from '../parts/typed.ts';

/** Blocks a link, a host or an account. The dialog asks for the reason. */
export function NewBlock({ admin, actions }: ListFormProps) {
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

export const KIND_LABELS = {
  link: 'admin_kind_link',
  host: 'admin_kind_host',
  account: 'account_heading',
} as const satisfies Record<BlockKind, string>;

const KINDS = Object.keys(KIND_LABELS) as BlockKind[];
