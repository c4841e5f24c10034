import { type Signal, useSignal } from '@preact/signals';
import { t } from '../../i18n/translate.ts';
import { Field } from '../Field.tsx';
import { InputField } from '../InputField.tsx';
import { readBrandLogo, readLogo } from './read-logo.ts';

type LogoKind = 'none' | 'brand' | 'own';

/** What is in the center of the code: nothing, the brand's logo, or a file of the user. */
export function LogoFields({ logo }: { logo: Signal<HTMLCanvasElement | undefined> }) {
  const kind = useSignal<LogoKind>('none');
  const isUnreadable = useSignal(false);
  const issue = isUnreadable.value ? t('qr_logo_unreadable') : undefined;

  async function use(read: Promise<HTMLCanvasElement> | undefined): Promise<void> {
    isUnreadable.value = false;
    logo.value = await read?.catch(() => {
      isUnreadable.value = true;
      return undefined;
    });
  }

  return (
    <>
      <Field label={t('qr_logo')} issue={kind.value === 'brand' ? issue : undefined}>
        {(control) => (
          <select
            {...control}
            class="input"
            name="qr-logo"
            value={kind.value}
            onChange={(event) => {
              kind.value = event.currentTarget.value as LogoKind;
              void use(kind.value === 'brand' ? readBrandLogo() : undefined);
            }}
          >
            <option value="none">{t('value_none')}</option>
            <option value="brand">{t('qr_logo_brand')}</option>
            <option value="own">{t('qr_logo_own')}</option>
          </select>
        )}
      </Field>
      {kind.value === 'own' && (
        <InputField
          label={t('qr_logo_file')}
          issue={issue}
          type="file"
          name="qr-logo-file"
          accept="image/*"
          onChange={({ currentTarget: { files } }) => void use(files?.[0] && readLogo(files[0]))}
        />
      )}
    </>
  );
}
