import { t } from '../i18n/translate.ts';
import type { Cleaned } from './clean-url.ts';
import './styles/link-button.css';

type CleanedNoteProps = {
  cleaned: Cleaned | undefined;
  /** The URL as it is now. */
  url: string;
  /** Takes the URL that was given instead. */
  useFull(full: string): void;
};

/** Says what was removed from a URL, with a way back, as long as nobody has changed it since. */
export function CleanedNote({ cleaned, url, useFull }: CleanedNoteProps) {
  return (
    <p class="note" role="status">
      {cleaned?.url === url && (
        <>
          {cleaned.text}{' '}
          <button type="button" class="link-button" onClick={() => useFull(cleaned.full)}>
            {t('use_full_url')}
          </button>
        </>
      )}
    </p>
  );
}
