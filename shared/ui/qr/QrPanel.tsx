import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type PlainKey, t } from '../../i18n/translate.ts';
import { withoutProtocol } from '../../links/link-address.ts';
import type { LinkRecord } from '../../links/link-record.ts';
import { Icon } from '../Icon.tsx';
import { saveFile } from '../save-file.ts';
import {
  canCopyImages,
  copyImage,
  DEFAULT_STYLE,
  qrAsPng,
  qrAsSvg,
  qrFileName,
} from './draw-qr.ts';
import { QrCode } from './QrCode.tsx';
import { QrOptions } from './QrOptions.tsx';

/** The message to show afterwards, if any. */
type Note = Promise<PlainKey | undefined>;

type QrPanelProps = {
  shortUrl: string;
  /** Opens the code where its looks can be changed. @default they can be changed here */
  onCustomize?: (() => void) | undefined;
};

/** Renders the QR code of a short link, how it looks, and its actions. */
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

type QrDialogProps = {
  link: Pick<LinkRecord, 'shortUrl'> | undefined;
  onClose: () => void;
};

export function QrDialog({ link, onClose }: QrDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (link) dialog.current?.showModal();
  }, [link]);

  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="qr-heading" onClose={onClose}>
      {link && (
        <>
          <h2 id="qr-heading">
            {t('qr_code')} <bdi dir="ltr">{withoutProtocol(link.shortUrl)}</bdi>
          </h2>
          <QrPanel shortUrl={link.shortUrl} />
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            {t('close')}
          </button>
        </>
      )}
    </dialog>
  );
}
