import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { formatTokenText } from '../../../shared/accounts/token-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { InputField } from '../../../shared/ui/Field.tsx';
import { lazy } from '../../../shared/ui/lazy.ts';
import { restoreFocusAfter } from '../../../shared/ui/restore-focus.ts';
import { saveFile } from '../../../shared/ui/save-file.ts';
import { BASE } from '../app/router.ts';
import { ForPrograms } from './ForPrograms.tsx';

type CreatedTokenProps = {
  created: Signal<{ id: string; token: string; name: string } | undefined>;
  origin: string;
};

/** Renders the place below a form in which the token that it has created appears. */
export function CreatedToken({ created, origin }: CreatedTokenProps) {
  return (
    <div role="status">
      {created.value && (
        <NewToken
          key={created.value.id}
          token={created.value.token}
          name={created.value.name}
          origin={origin}
          onClose={() => {
            created.value = undefined;
          }}
        />
      )}
    </div>
  );
}

const QrCode = lazy(async () => (await import('../../../shared/ui/qr/QrCode.tsx')).QrCode);

type NewTokenProps = {
  token: string;
  name: string;
  origin: string;
  onClose(): void;
};

/** A token that is shown once: to copy, to save, or to scan with a phone. */
function NewToken({ token, name, origin, onClose }: NewTokenProps) {
  const copied = useSignal<boolean | undefined>(undefined);
  const isQrShown = useSignal(false);
  return (
    <div class="test-result">
      <p>
        <strong>{t('token_shown_once', name)}</strong>
      </p>
      <InputField
        label={t('field_token')}
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
            const text = `${formatTokenText(origin, token)}\n`;
            saveFile(new Blob([text], { type: 'text/plain' }), 'curt-sign-in-key.txt');
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
      <ForPrograms origin={origin} token={token} />
    </div>
  );
}
