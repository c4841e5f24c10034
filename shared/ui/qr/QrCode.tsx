import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import {
  DEFAULT_STYLE,
  drawQr,
  logoPlace,
  type QrDrawing,
  type QrStyle,
  toPath,
} from './draw-qr.ts';
import './qr.css';

type QrCodeProps = {
  text: string;
  /** Text alternative. */
  label: string;
  /** @default black on white */
  style?: QrStyle;
  /** In the center. @default none */
  logo?: HTMLCanvasElement | undefined;
};

export function QrCode({ text, label, style = DEFAULT_STYLE, logo }: QrCodeProps) {
  const { color, margin } = style;
  const hasLogo = logo !== undefined;
  const code = useSignal<QrDrawing | 'failed' | undefined>(undefined);
  useEffect(() => {
    drawQr(text, { margin, hasLogo }).then(
      (drawn) => {
        code.value = drawn;
      },
      () => {
        code.value = 'failed';
      },
    );
  }, [text, code, margin, hasLogo]);

  if (code.value === 'failed') return <p class="issue">{t('qr_failed')}</p>;
  const drawing = code.value ?? { side: 1, dark: [] };
  const { start, inner } = logoPlace(drawing);
  return (
    <svg class="qr" viewBox={`0 0 ${drawing.side} ${drawing.side}`} role="img" aria-label={label}>
      <rect class="qr-light" width={drawing.side} height={drawing.side} />
      <path class="qr-dark" fill={color} d={toPath(drawing)} />
      {logo && inner > 0 && (
        <image href={logo.toDataURL()} x={start} y={start} width={inner} height={inner} />
      )}
    </svg>
  );
}
