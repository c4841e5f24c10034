import { t } from '../../../shared/i18n/translate.ts';
import type { PopupState } from './state/popup-state.ts';

/** The link of a popup that fails to render. */
export function KeptLink({ state }: { state: PopupState }) {
  const view = state.view.value;
  if (view.name !== 'link') return null;
  return (
    <>
      <p class="link">
        <output class="short-url" dir="ltr">
          {view.link.shortUrl.replace(/^https?:\/\//, '')}
        </output>
      </p>
      <div class="actions">
        <button type="button" class="button" onClick={state.copyAgain}>
          {t('copy')}
        </button>
      </div>
    </>
  );
}
