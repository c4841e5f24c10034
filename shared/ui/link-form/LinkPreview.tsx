import { t } from '../../i18n/translate.ts';
import { lazy } from '../lazy.ts';
import type { LinkForm } from './link-form.ts';

const QrCode = lazy(async () => (await import('../qr/QrCode.tsx')).QrCode);

type LinkPreviewProps = {
  form: LinkForm;
  /** The host of the short URL. */
  host: string;
};

/** Renders a link as chats show it. The image is not loaded: its host would learn of this visit. */
export function LinkPreview({ form, host }: LinkPreviewProps) {
  const { title, description, cardTitle, cardDescription, cardImageUrl } = form;
  const image = cardImageUrl.trim();
  const text = cardDescription.trim() || description.trim();
  return (
    <figure class="card-preview" aria-label={t('card_preview')}>
      {image && (
        <p class="card-preview-image">
          {t('card_image_at', URL.parse(image)?.host || image.replace(/[/?#].*/, ''))}
        </p>
      )}
      <p class="hint" dir="ltr">
        {host}
      </p>
      <p class="card-preview-title" dir="auto">
        {cardTitle.trim() || title.trim() || host}
      </p>
      {text && <p dir="auto">{text}</p>}
    </figure>
  );
}

/**
 * Renders what the link will look like, beside its form in a wide window: the QR code once there is an alias, and
 * the preview.
 */
export function FormAside({ form, host, shortUrl }: LinkPreviewProps & { shortUrl: string }) {
  return (
    <aside class="form-aside" aria-label={t('form_aside')}>
      {form.customAlias.trim() ? (
        <QrCode text={shortUrl} label={t('qr_code_of', shortUrl)} />
      ) : (
        <p class="qr-pending hint">{t('qr_pending')}</p>
      )}
      <LinkPreview form={form} host={host} />
    </aside>
  );
}
