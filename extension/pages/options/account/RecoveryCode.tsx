import { useId } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { ConfirmButton } from '../../../../shared/ui/ConfirmButton.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import { QrCode } from '../../../../shared/ui/qr/QrCode.tsx';
import type { AccountState } from '../state/account-state.ts';

const HIDDEN_CODE = '•'.repeat(24);

/** The account as a code for another browser. The code is in the page only while it is shown. */
export function RecoveryCode({ state }: { state: AccountState }) {
  const qrId = useId();
  const code = state.code.value;
  const isText = state.shownAs.value === 'text';
  const isQr = state.shownAs.value === 'qr';
  return (
    <>
      <InputField
        label={t('field_code')}
        hint={t('hint_code')}
        class="input mono"
        name="recovery-code"
        dir="ltr"
        readOnly
        value={isText ? code : HIDDEN_CODE}
        onFocus={(event) => isText && event.currentTarget.select()}
      />
      <div class="buttons">
        <button type="button" class="button" onClick={() => state.toggle('text')}>
          {t(isText ? 'token_hide' : 'token_show')}
        </button>
        <button type="button" class="button" onClick={() => state.copyCode()}>
          {t('copy')}
        </button>
        <button
          type="button"
          class="button"
          aria-expanded={isQr}
          aria-controls={qrId}
          onClick={() => state.toggle('qr')}
        >
          {t('qr_code')}
        </button>
        <ConfirmButton
          label={t('token_remove')}
          title={t('token_remove_question')}
          confirm={t('token_remove_confirm')}
          onConfirm={() => state.removeToken(state.origin.value)}
        >
          <p>{t('token_remove_text')}</p>
        </ConfirmButton>
      </div>
      <div id={qrId} hidden={!isQr}>
        {isQr && code && <QrCode text={code} label={t('code_as_qr')} />}
      </div>
    </>
  );
}
