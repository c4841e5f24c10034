import { useSignal } from '@preact/signals';
import { type PlainKey, t } from '../../i18n/translate.ts';
import { Icon } from '../Icon.tsx';
import { saveFile } from '../save-file.ts';
import { QrCode } from './QrCode.tsx';
import { canCopyImages, copyImage, qrAsPng, qrAsSvg, qrFileName } from './qr-files.ts';

/** The message to show afterwards, if any. */
type Note = Promise<PlainKey | undefined>;

/** The QR code of a short link and its actions. */
export function QrPanel({ shortUrl }: { shortUrl: string }) {
  const note = useSignal<PlainKey | undefined>(undefined);
  const fileName = qrFileName(shortUrl);

  async function run(task: () => Note): Promise<void> {
    note.value = undefined;
    note.value = await task().catch(() => 'qr_failed' as const);
  }

  const save = (draw: typeof qrAsPng, name: string) =>
    run(async () => {
      saveFile(await draw(shortUrl), name);
      return undefined;
    });
  const copy = () =>
    run(async () => ((await copyImage(await qrAsPng(shortUrl))) ? 'qr_copied' : 'qr_copy_failed'));

  return (
    <div class="qr-panel">
      <QrCode text={shortUrl} label={t('qr_code_of', shortUrl)} />
      <div class="qr-actions">
        {canCopyImages() && (
          <button type="button" class="button" onClick={copy}>
            <Icon name={note.value === 'qr_copied' ? 'check' : 'copy'} />
            {t('qr_copy_picture')}
          </button>
        )}
        <button type="button" class="button" onClick={() => save(qrAsPng, `${fileName}.png`)}>
          <Icon name="save" />
          {t('qr_save_png')}
        </button>
        <button type="button" class="button" onClick={() => save(qrAsSvg, `${fileName}.svg`)}>
          <Icon name="save" />
          {t('qr_save_svg')}
        </button>
      </div>
      <p class="qr-note" role="status">
        {note.value && t(note.value)}
      </p>
    </div>
  );
}
