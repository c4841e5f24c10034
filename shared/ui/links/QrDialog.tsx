import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import type { ShownLink } from '../../links/shown-link.ts';
import { QrPanel } from '../qr/QrPanel.tsx';

export type QrDialogProps = {
  link: Pick<ShownLink, 'shortUrl'> | undefined;
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
            {t('qr_code')} <bdi dir="ltr">{link.shortUrl.replace(/^https?:\/\//, '')}</bdi>
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
