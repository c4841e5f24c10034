import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { drawQr, type QrDrawing, toPath } from './draw-qr.ts';
import './qr.css';

export type QrCodeProps = {
  text: string;
  /** Text alternative. */
  label: string;
};

export function QrCode({ text, label }: QrCodeProps) {
  const code = useSignal<QrDrawing | 'failed' | undefined>(undefined);
  useEffect(() => {
    drawQr(text).then(
      (drawn) => {
        code.value = drawn;
      },
      () => {
        code.value = 'failed';
      },
    );
  }, [text, code]);

  if (code.value === 'failed') return <p class="issue">{t('qr_failed')}</p>;
  const drawing = code.value ?? { side: 1, dark: [] };
  return (
    <svg class="qr" viewBox={`0 0 ${drawing.side} ${drawing.side}`} role="img" aria-label={label}>
      <rect class="qr-light" width={drawing.side} height={drawing.side} />
      <path class="qr-dark" d={toPath(drawing)} />
    </svg>
  );
}
