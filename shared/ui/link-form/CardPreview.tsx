import { t } from '../../i18n/translate.ts';

export type CardPreviewProps = {
  /** The host of the short URL. */
  host: string;
  title: string;
  description: string;
  imageUrl: string;
};

/** A card as chats show it. The image is not loaded: its host would learn of this visit. */
export function CardPreview({ host, title, description, imageUrl }: CardPreviewProps) {
  const image = imageUrl.trim();
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
        {title.trim() || host}
      </p>
      {description.trim() && <p dir="auto">{description}</p>}
    </figure>
  );
}
