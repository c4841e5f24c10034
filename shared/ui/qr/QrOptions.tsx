import { type Signal, useSignal } from '@preact/signals';
import { formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import { Field } from '../Field.tsx';
import { Icon } from '../Icon.tsx';
import { InputField } from '../InputField.tsx';
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
        <Field label={t('qr_margin')}>
          {(control) => (
            <select
              {...control}
              class="input"
              name="qr-margin"
              value={style.value.margin}
              onChange={(event) => change({ margin: Number(event.currentTarget.value) })}
            >
              {MARGIN_NAMES.map((name) => (
                <option key={name} value={QR_MARGINS[name]}>
                  {t(MARGIN_LABELS[name])}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t('qr_size')}>
          {(control) => (
            <select
              {...control}
              class="input"
              name="qr-size"
              value={style.value.size}
              onChange={(event) => change({ size: Number(event.currentTarget.value) })}
            >
              {QR_SIZES.map((size) => (
                <option key={size} value={size}>
                  {t('qr_pixels', formatNumber(size))}
                </option>
              ))}
            </select>
          )}
        </Field>
        <LogoFields logo={logo} />
      </div>
    </details>
  );
}
