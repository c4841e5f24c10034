import { useSignal } from '@preact/signals';
import { formatRecoveryCode } from '../../../../shared/accounts/recovery-code.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { copyFromPage } from '../../../../shared/ui/copy-text.js';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import { lazy } from '../../../../shared/ui/lazy.ts';
import { restoreFocusAfter } from '../../../../shared/ui/restore-focus.ts';
import { saveFile } from '../../../../shared/ui/save-file.ts';
import { BASE } from '../../app/router.ts';

const QrCode = lazy(async () => (await import('../../../../shared/ui/qr/QrCode.tsx')).QrCode);

export type NewTokenProps = {
  token: string;
  name: string;
  origin: string;
  onClose(): void;
};

/** A token that is shown once: to copy, to save, or to scan with a phone. */
export function NewToken({ token, name, origin, onClose }: NewTokenProps) {
  const copied = useSignal<boolean | undefined>(undefined);
  const isQrShown = useSignal(false);
  return (
    <div class="test-result">
      <p>
        <strong>{t('token_shown_once', name)}</strong>
      </p>
      <InputField
        label={t('field_code')}
        class="input mono"
        name="new-token"
        dir="ltr"
        readOnly
        value={token}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div class="buttons">
        <button
          type="button"
          class="button primary"
          onClick={async () => {
            copied.value = await copyFromPage(token);
          }}
        >
          {t('copy')}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            const code = `${formatRecoveryCode(origin, token)}\n`;
            saveFile(new Blob([code], { type: 'text/plain' }), 'curt-token.txt');
          }}
        >
          {t('save_as_file')}
        </button>
        <button
          type="button"
          class="button"
          aria-expanded={isQrShown.value}
          onClick={() => {
            isQrShown.value = !isQrShown.value;
          }}
        >
          {t('qr_code')}
        </button>
        <button
          type="button"
          class="button plain"
          onClick={(event) => restoreFocusAfter(event.currentTarget, async () => onClose())}
        >
          {t('close')}
        </button>
      </div>
      <p class="note">{copied.value !== undefined && t(copied.value ? 'copied' : 'not_copied')}</p>
      {isQrShown.value && (
        <>
          <QrCode text={`${origin}${BASE}#${token}`} label={t('token_qr')} />
          <p class="hint">{t('token_qr_hint')}</p>
        </>
      )}
    </div>
  );
}
