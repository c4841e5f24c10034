import { t } from '../i18n/translate.ts';

/** Says that a form has what was typed before, and lets the user start over. */
export function DraftNote({ isShown, onDiscard }: { isShown: boolean; onDiscard(): void }) {
  return (
    <div role="status" class="draft-note">
      {isShown && (
        <>
          <span>{t('draft_restored')}</span>
          <button type="button" class="button plain" onClick={onDiscard}>
            {t('draft_discard')}
          </button>
        </>
      )}
    </div>
  );
}
