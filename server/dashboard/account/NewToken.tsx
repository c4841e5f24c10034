import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { formatTokenText } from '../../../shared/accounts/token-text.ts';
import type { FailureText } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import { InputField } from '../../../shared/ui/Field.tsx';
import { lazy, lazyCode } from '../../../shared/ui/lazy.ts';
import { restoreFocusAfter } from '../../../shared/ui/restore-focus.ts';
import { saveFile } from '../../../shared/ui/save-file.ts';
import { ForPrograms } from './ForPrograms.tsx';

export type CreatedKey = { id: string; token: string; name: string; scope: string };

type CreatedTokenProps = {
  created: Signal<CreatedKey | undefined>;
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
          hasAllPermissions={created.value.scope === 'all'}
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

const addresses = lazyCode(() => import('./make-address.ts'));
const NOT_LOADED = () => ({ title: t('extension_failed_title'), text: t('part_failed_text') });

type NewTokenProps = {
  token: string;
  name: string;
  hasAllPermissions: boolean;
  origin: string;
  onClose(): void;
};

/** A token that is shown once: to copy, to save, or to scan with a phone. */
function NewToken({ token, name, hasAllPermissions, origin, onClose }: NewTokenProps) {
  const copied = useSignal<boolean | undefined>(undefined);
  /** Signs in once, with another key. Only for a key that may make keys. */
  const address = useSignal<string | undefined>(undefined);
  const failure = useSignal<FailureText | undefined>(undefined);

  async function showQr(): Promise<void> {
    const made = await addresses.use(
      ({ makeAddress }) => makeAddress(origin, token),
      () => ({ ok: false, code: 'unreachable', ...NOT_LOADED() }) as const,
    );
    if (made.ok) address.value = made.data.url;
    failure.value = made.ok ? undefined : made;
  }

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
        {hasAllPermissions && (
          <button
            type="button"
            class="button"
            aria-expanded={address.value !== undefined}
            onClick={async () => {
              if (address.value !== undefined) address.value = undefined;
              else await showQr();
            }}
          >
            {t('qr_code')}
          </button>
        )}
        <button
          type="button"
          class="button plain"
          onClick={(event) => restoreFocusAfter(event.currentTarget, async () => onClose())}
        >
          {t('close')}
        </button>
      </div>
      <p class="note">{copied.value !== undefined && t(copied.value ? 'copied' : 'not_copied')}</p>
      {failure.value && <FailureNote failure={failure.value} onRetry={showQr} />}
      {address.value !== undefined && (
        <>
          <QrCode text={address.value} label={t('token_qr')} />
          <p class="hint">{t('token_qr_hint')}</p>
        </>
      )}
      <ForPrograms origin={origin} token={token} />
    </div>
  );
}
