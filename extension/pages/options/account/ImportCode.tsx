import { t } from '../../../../shared/i18n/translate.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import { Username } from '../../../../shared/ui/Username.tsx';
import type { AccountState } from '../state/account-state.ts';

/** Imports an account that was created in another browser. */
export function ImportCode({ state }: { state: AccountState }) {
  const offer = state.offer.value;
  const hasToken = state.current.value?.hasToken ?? false;
  const offeredHost = new URL(offer?.origin ?? state.origin.value).host;
  return (
    <Form class="rows divided" onSubmit={state.usePasted}>
      <Username name={new URL(state.origin.value).host} />
      <InputField
        label={t(hasToken ? 'field_other_code' : 'field_code')}
        hint={t(hasToken ? 'hint_other_code' : 'hint_code_first')}
        issue={state.pastedIssue.value}
        class="input mono"
        type="password"
        name="other-code"
        isCode
        value={state.pasted.value}
        onInput={(event) => state.paste(event.currentTarget.value)}
      />
      <div class="buttons">
        <button type="submit" class="button">
          {t(hasToken ? 'server_switch' : 'code_use')}
        </button>
      </div>
      <ConfirmDialog
        isOpen={offer !== undefined}
        title={t('offer_switch_question', offeredHost)}
        confirm={t('offer_switch_confirm')}
        onConfirm={state.acceptOffer}
        onClose={state.declineOffer}
      >
        <p>{t('offer_switch_text', offeredHost, new URL(state.origin.value).host)}</p>
      </ConfirmDialog>
    </Form>
  );
}
