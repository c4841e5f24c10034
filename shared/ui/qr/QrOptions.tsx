import { type Signal, useSignal } from '@preact/signals';
import { formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import { Icon } from '../Icon.tsx';
import { InputField } from '../InputField.tsx';
import { SelectField } from '../SelectField.tsx';
import { LogoFields } from './LogoFields.tsx';
import { isReadableColor, QR_MARGINS, QR_SIZES, type QrStyle } from './qr-style.ts';

const MARGIN_LABELS = {
  narrow: 'qr_margin_narrow',
  standard: 'qr_margin_standard',
  wide: 'qr_margin_wide',
} as const;
const MARGIN_NAMES = ['narrow', 'standard', 'wide'] as const;

export type QrOptionsProps = {
  style: Signal<QrStyle>;
  logo: Signal<HTMLCanvasElement | undefined>;
};

/** How the code looks. What scanners can't read is refused: the code stays as it is. */
export function QrOptions({ style, logo }: QrOptionsProps) {
  const color = useSignal(style.value.color);
  const change = (part: Partial<QrStyle>) => {
    style.value = { ...style.value, ...part };
  };

  return (
    <details class="qr-options">
      <summary>
        <Icon name="chevron" />
        {t('qr_customize')}
      </summary>
      <div class="qr-fields">
        <InputField
          label={t('qr_color')}
          issue={isReadableColor(color.value) ? undefined : t('qr_color_too_light')}
          type="color"
          name="qr-color"
          value={color.value}
          onInput={({ currentTarget: { value } }) => {
            color.value = value;
            if (isReadableColor(value)) change({ color: value });
          }}
        />
        <SelectField
          label={t('qr_margin')}
          name="qr-margin"
          options={MARGIN_NAMES.map((name) => ({
            value: QR_MARGINS[name],
            label: t(MARGIN_LABELS[name]),
          }))}
          value={style.value.margin}
          onChoose={(margin) => change({ margin })}
        />
        <SelectField
          label={t('qr_size')}
          name="qr-size"
          options={QR_SIZES.map((value) => ({
            value,
            label: t('qr_pixels', formatNumber(value)),
          }))}
          value={style.value.size}
          onChoose={(size) => change({ size })}
        />
        <LogoFields logo={logo} />
      </div>
    </details>
  );
}
