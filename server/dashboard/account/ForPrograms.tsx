import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { InputField } from '../../../shared/ui/Field.tsx';
import { lazy } from '../../../shared/ui/lazy.ts';
import { saveFile } from '../../../shared/ui/save-file.ts';

const QrCode = lazy(async () => (await import('../../../shared/ui/qr/QrCode.tsx')).QrCode);

type ForProgramsProps = { origin: string; token: string };

/** What to enter in programs that shorten, for a key that is shown once. See docs/compat.md. */
export function ForPrograms(props: ForProgramsProps) {
  return (
    <Disclosure label={t('programs_heading')}>
      {() => (
        <>
          <p class="hint">{t('programs_create_only')}</p>
          <div class="buttons">
            <button
              type="button"
              class="button"
              onClick={() => saveFile(shareXFile(props), 'curt.sxcu')}
            >
              {t('programs_sharex')}
            </button>
          </div>
          <OtherApis {...props} />
        </>
      )}
    </Disclosure>
  );
}

/** Asks the client, which loads on demand. Without an answer, nothing is promised. */
async function loadOtherApis(origin: string): Promise<boolean> {
  try {
    return await (await import('./other-apis.ts')).hasOtherApis(origin);
  } catch {
    return false;
  }
}

/** `COMPAT=off` turns these APIs off. */
function OtherApis({ origin, token }: ForProgramsProps) {
  const isOn = useSignal<boolean | undefined>(undefined);
  useEffect(() => {
    void loadOtherApis(origin).then((has) => {
      isOn.value = has;
    });
  }, [isOn, origin]);
  if (isOn.value === undefined) return null;
  if (!isOn.value) return <p class="hint">{t('programs_off')}</p>;
  return (
    <>
      <Address label={t('programs_shlink')} value={origin} />
      <QrCode text={token} label={t('programs_key_qr')} />
      <p class="hint">{t('programs_key_qr')}</p>
      <Address label={t('programs_yourls')} value={`${origin}/yourls-api.php`} />
    </>
  );
}

function Address({ label, value }: { label: string; value: string }) {
  return (
    <InputField
      label={label}
      class="input mono"
      dir="ltr"
      readOnly
      value={value}
      onFocus={(event) => event.currentTarget.select()}
    />
  );
}

/** @see https://getsharex.com/docs/custom-uploader */
function shareXFile({ origin, token }: ForProgramsProps): Blob {
  const uploader = {
    Version: '16.0.0',
    Name: `Curt (${new URL(origin).host})`,
    DestinationType: 'URLShortener',
    RequestMethod: 'POST',
    RequestURL: `${origin}/api/shorten`,
    Headers: { Authorization: `Bearer ${token}` },
    Body: 'JSON',
    Data: '{"originalUrl":"{input}"}',
    URL: '{json:data.shortUrl}',
    ErrorMessage: '{json:message}',
  };
  return new Blob([`${JSON.stringify(uploader, null, 2)}\n`], { type: 'application/json' });
}
