import { useSignal } from '@preact/signals';
import { type PlainKey, t } from '../../i18n/translate.ts';
import { Icon } from '../Icon.tsx';
import { saveFile } from '../save-file.ts';
import { QrCode } from './QrCode.tsx';
import { QrOptions } from './QrOptions.tsx';
import { canCopyImages, copyImage, qrAsPng, qrAsSvg, qrFileName } from './qr-files.ts';
import { DEFAULT_STYLE } from './qr-style.ts';

/** The message to show afterwards, if any. */
type Note = Promise<PlainKey | undefined>;

export type QrPanelProps = {
  shortUrl: string;
  /** Opens the code where its looks can be changed. @default they can be changed here */
  onCustomize?: (() => void) | undefined;
};

/** The QR code of a short link, how it looks, and its actions. */
export function QrPanel({ shortUrl, onCustomize }: QrPanelProps) {
  const note = useSignal<PlainKey | undefined>(undefined);
  const style = useSignal(DEFAULT_STYLE);
  const logo = useSignal<HTMLCanvasElement | undefined>(undefined);
  const fileName = qrFileName(shortUrl);
  const picture = { text: shortUrl, style: style.value, logo: logo.value };

  async function run(task: () => Note): Promise<void> {
    note.value = undefined;
    note.value = await task().catch(() => 'qr_failed' as const);
  }

  const save = (draw: typeof qrAsPng, name: string) =>
    run(async () => {
      saveFile(await draw(picture), name);
      return undefined;
    });
  const copy = () =>
    run(async () => ((await copyImage(await qrAsPng(picture))) ? 'qr_copied' : 'qr_copy_failed'));

  return (
    <div class="qr-panel">
      <QrCode {...picture} label={t('qr_code_of', shortUrl)} />
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
      {onCustomize ? (
        <button type="button" class="button" onClick={onCustomize}>
          <Icon name="open" />
          {t('qr_customize')}
        </button>
      ) : (
        <QrOptions style={style} logo={logo} />
      )}
    </div>
  );
}
