import { t } from '../../../i18n/translate.ts';
import { Dialog } from '../../../ui/ConfirmDialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import type { AccountState } from '../state/account-state.ts';

/** Takes over an account that was opened in another browser. */
export function PasteCode({ state }: { state: AccountState }) {
  const offer = state.offer.value;
  const offered = new URL(offer?.origin ?? state.origin.value).host;
  return (
    <form
      class="rows divided"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void state.usePasted();
      }}
    >
      <Field
        label={t('field_other_code')}
        hint={t('hint_other_code')}
        issue={state.pastedIssue.value}
      >
        {(control) => (
          <input
            {...control}
            class="input mono"
            type="password"
            name="other-code"
            dir="ltr"
            value={state.pasted.value}
            onInput={(event) => state.paste(event.currentTarget.value)}
            autocomplete="off"
            spellcheck={false}
          />
        )}
      </Field>
      <div class="buttons">
        <button type="submit" class="button">
          {t('code_use')}
        </button>
      </div>
      <Dialog
        isOpen={offer !== undefined}
        title={t('offer_switch_question', offered)}
        confirm={t('offer_switch_confirm')}
        onConfirm={state.acceptOffer}
        onClose={() => {
          state.offer.value = undefined;
        }}
      >
        <p>{t('offer_switch_text', offered, new URL(state.origin.value).host)}</p>
      </Dialog>
    </form>
  );
}
