import { ENGLISH } from '../i18n/english.ts';
import type { FailureText } from '../i18n/failure-text.ts';
import { t } from '../i18n/translate.ts';

export type FailureNoteProps = {
  failure: FailureText | undefined;
  onRetry?(): Promise<void>;
};

/** What went wrong. Always rendered: a live region must exist before its text. */
export function FailureNote({ failure, onRetry }: FailureNoteProps) {
  return (
    <div role="alert" class={failure ? 'test-result error' : undefined}>
      {failure && (
        <>
          <strong>{failure.title}</strong>
          <p {...(failure.isEnglish && ENGLISH)}>{failure.text}</p>
          {onRetry && (
            <div class="buttons">
              <button type="button" class="button" onClick={onRetry}>
                {t('try_again')}
              </button>
            </div>
          )}
        </>
      )}
    </div>
  );
}
