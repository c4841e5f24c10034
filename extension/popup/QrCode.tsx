import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n.ts';

/** Modules of light around the code; readers ask for four. */
const QUIET_MODULES = 4;

/** The QR code of a URL, drawn here: no server is asked. */
export function QrCode({ url }: { url: string }) {
  const code = useSignal<{ side: number; path: string } | 'failed' | undefined>(undefined);
  useEffect(() => {
    drawQr(url).then(
      (drawn) => {
        code.value = drawn;
      },
      () => {
        code.value = 'failed';
      },
    );
  }, [url, code]);

  if (code.value === 'failed') return <p class="issue">{t('qr_failed')}</p>;
  const { side, path } = code.value ?? { side: 1, path: '' };
  return (
    <svg class="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={t('qr_code_of', url)}>
      <rect class="qr-light" width={side} height={side} />
      <path class="qr-dark" d={path} />
    </svg>
  );
}

async function drawQr(url: string) {
  // Loaded when it is asked for: most popups never show one.
  const { create } = await import('qrcode');
  const { modules } = create(url, { errorCorrectionLevel: 'M' });
  let path = '';
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (!modules.get(row, column)) continue;
      path += `M${column + QUIET_MODULES} ${row + QUIET_MODULES}h1v1h-1z`;
    }
  }
  return { side: modules.size + 2 * QUIET_MODULES, path };
}
