import { useSignal } from '@preact/signals';
import type { BlockKind } from '../../../../shared/admin/blocks.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { BLOCKED_VALUE_MAX_CHARACTERS } from '../../../../shared/limits.ts';
import { Field } from '../../../../shared/ui/Field.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import type { Admin } from '../admin.ts';
import type { Actions } from '../parts/actions.ts';
import { BlockButton } from '../parts/BlockButton.tsx';
import { KIND_LABELS, KINDS } from './kind-labels.ts';

/** Blocks a link, a host or an account. The dialog asks for the reason. */
export function NewBlock({ admin, actions }: { admin: Admin; actions: Actions }) {
  const kind = useSignal<BlockKind>('host');
  const value = useSignal('');
  const issue = useSignal<string | undefined>(undefined);
  return (
    <section class="card" aria-labelledby="new-block-heading">
      <h2 id="new-block-heading" tabIndex={-1}>
        {t('admin_new_block')}
      </h2>
      <div class="form-line">
        <Field label={t('admin_kind')}>
          {(control) => (
            <select
              {...control}
              class="input"
              name="kind"
              value={kind.value}
              onChange={(event) => {
                kind.value = event.currentTarget.value as BlockKind;
              }}
            >
              {KINDS.map((each) => (
                <option key={each} value={each}>
                  {t(KIND_LABELS[each])}
                </option>
              ))}
            </select>
          )}
        </Field>
        <InputField
          label={t('admin_value')}
          issue={issue.value}
          name="value"
          isCode
          value={value.value}
          onInput={(event) => {
            value.value = event.currentTarget.value;
            issue.value = undefined;
          }}
          maxLength={BLOCKED_VALUE_MAX_CHARACTERS}
        />
      </div>
      <div class="buttons">
        <BlockButton
          admin={admin}
          actions={actions}
          blocked={{ kind: kind.value, value: value.value.trim() }}
          isValid={() => {
            issue.value = value.value.trim() === '' ? t('admin_value_missing') : undefined;
            return issue.value === undefined;
          }}
        />
      </div>
    </section>
  );
}
