import { t } from '../i18n/translate.ts';
import { Icon } from './Icon.tsx';

/** Shares a short link with other apps, where the browser can: mostly on phones. */
export function ShareButton({ url }: { url: string | undefined }) {
  if (url === undefined || typeof navigator.share !== 'function') return null;
  return (
    <button
      type="button"
      class="button"
      onClick={() => {
        // Rejected if the user chooses no app.
        navigator.share({ url }).catch(() => {});
      }}
    >
      <Icon name="share" />
      {t('share')}
    </button>
  );
}
