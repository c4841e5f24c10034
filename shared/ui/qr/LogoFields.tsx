import { type Signal, useSignal } from '@preact/signals';
import { t } from '../../i18n/translate.ts';
import { InputField } from '../InputField.tsx';
import { SelectField } from '../SelectField.tsx';
import { readBrandLogo, readLogo } from './read-logo.ts';

const KIND_LABELS = { none: 'value_none', brand: 'qr_logo_brand', own: 'qr_logo_own' } as const;
type LogoKind = keyof typeof KIND_LABELS;
const KINDS = Object.keys(KIND_LABELS) as LogoKind[];

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
      <SelectField
        label={t('qr_logo')}
        issue={kind.value === 'brand' ? issue : undefined}
        name="qr-logo"
        options={KINDS.map((value) => ({ value, label: t(KIND_LABELS[value]) }))}
        value={kind.value}
        onChoose={(chosen) => {
          kind.value = chosen;
          void use(chosen === 'brand' ? readBrandLogo() : undefined);
        }}
      />
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
