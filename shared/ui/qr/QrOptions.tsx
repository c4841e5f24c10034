import { type Signal, useSignal } from '@preact/signals';
import { formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import { InputField, SelectField } from '../Field.tsx';
import { Icon } from '../Icon.tsx';
import { isReadableColor, QR_MARGINS, QR_SIZES, type QrStyle } from './draw-qr.ts';

const MARGIN_LABELS = {
  narrow: 'qr_margin_narrow',
  standard: 'qr_margin_standard',
  wide: 'qr_margin_wide',
} as const;
const MARGIN_NAMES = ['narrow', 'standard', 'wide'] as const;

type QrOptionsProps = {
  style: Signal<QrStyle>;
  logo: Signal<HTMLCanvasElement | undefined>;
};

/** Renders how the code looks. What scanners can't read is refused: the code stays as it is. */
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

const KIND_LABELS = { none: 'qr_logo_none', brand: 'qr_logo_brand', own: 'qr_logo_own' } as const;
type LogoKind = keyof typeof KIND_LABELS;
const KINDS = Object.keys(KIND_LABELS) as LogoKind[];

/** What is in the center of the code: nothing, the brand's logo, or a file of the user. */
function LogoFields({ logo }: { logo: Signal<HTMLCanvasElement | undefined> }) {
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

/** More than any code shows, and small in a file. */
const LOGO_PIXELS = 256;

/** The logo of the brand: the icon of this page, or of the extension. */
async function readBrandLogo(): Promise<HTMLCanvasElement> {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href;
  const response = await fetch(icon ?? '/icon/128.png');
  return readLogo(await response.blob());
}

/** Draws a picture onto a square, so that nothing else of its file gets into the code. @throws if it is none */
async function readLogo(picture: Blob): Promise<HTMLCanvasElement> {
  const url = URL.createObjectURL(picture);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    // A vector picture may have no size.
    const { naturalWidth: width = 0, naturalHeight: height = 0 } = image;
    const scale = LOGO_PIXELS / (Math.max(width, height) || LOGO_PIXELS);
    const [drawnWidth, drawnHeight] = [width, height].map((side) => (side || LOGO_PIXELS) * scale);
    const canvas = document.createElement('canvas');
    canvas.width = LOGO_PIXELS;
    canvas.height = LOGO_PIXELS;
    const left = (LOGO_PIXELS - (drawnWidth ?? 0)) / 2;
    const top = (LOGO_PIXELS - (drawnHeight ?? 0)) / 2;
    canvas.getContext('2d')?.drawImage(image, left, top, drawnWidth ?? 0, drawnHeight ?? 0);
    return canvas;
  } finally {
    URL.revokeObjectURL(url);
  }
}
