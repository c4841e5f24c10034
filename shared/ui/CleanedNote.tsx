import type { Signal } from '@preact/signals';
import { t } from '../i18n/translate.ts';
import type { Cleaned } from './clean-url.ts';

type CleanedNoteProps = {
  cleaned: Signal<Cleaned | undefined>;
  /** Takes the URL as it was given. */
  useFull(url: string): void;
};

/** Says what was removed from a URL, with a way back. */
export function CleanedNote({ cleaned, useFull }: CleanedNoteProps) {
  const given = cleaned.value;
  return (
    <p class="note" role="status">
      {given && (
        <>
          {given.text}{' '}
          <button
            type="button"
            class="link-button"
            onClick={() => {
              cleaned.value = undefined;
              useFull(given.full);
            }}
          >
            {t('use_full_url')}
          </button>
        </>
      )}
    </p>
  );
}
