import { t } from '../../../../shared/i18n/translate.ts';
import { InputField } from '../../../../shared/ui/InputField.tsx';

type LogoFieldProps = { logo: string | null; onChange(logo: string | null): void };

/** The logo as a `data:` URL. The server decides whether a file is one. */
export function LogoField({ logo, onChange }: LogoFieldProps) {
  function read(file: File | undefined): void {
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => onChange(String(reader.result));
    reader.readAsDataURL(file);
  }

  return (
    <div class="form-line">
      <InputField
        label={t('qr_logo')}
        hint={t('admin_logo_hint')}
        type="file"
        name="logo"
        accept="image/svg+xml,image/png"
        // Without a file, the browser reports the choice of the same one, which may have changed.
        onClick={({ currentTarget }) => {
          currentTarget.value = '';
        }}
        onChange={({ currentTarget: { files } }) => read(files?.[0])}
      />
      {logo !== null && (
        <div class="domain-logo">
          <img src={logo} alt={t('qr_logo')} />
          <button type="button" class="button" onClick={() => onChange(null)}>
            {t('admin_logo_remove')}
          </button>
        </div>
      )}
    </div>
  );
}
