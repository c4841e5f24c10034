import type { ComponentChildren } from 'preact';
import { useErrorBoundary, useRef } from 'preact/hooks';
import { ENGLISH } from '../i18n/english.ts';
import type { FailureText } from '../i18n/failure-text.ts';
import { t } from '../i18n/translate.ts';

type FailureNoteProps = {
  failure: FailureText | undefined;
  onRetry?(): Promise<void>;
};

/** Renders what went wrong. Always rendered: a live region must exist before its text. */
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

type ErrorBoundaryProps = {
  /** What is worth keeping, such as the link that was just created. @default nothing */
  kept?(): ComponentChildren;
  children: ComponentChildren;
};

/**
 * Shows a message in place of a page that fails to render, which would stay as it was before. “Try again”
 * renders it once more, with what was typed. If that fails, it loads the page again.
 */
export function ErrorBoundary({ kept, children }: ErrorBoundaryProps) {
  const [failure, reset] = useErrorBoundary((error) => reportError(error));
  const hasTried = useRef(false);
  if (!failure) return children;
  async function retry(): Promise<void> {
    if (hasTried.current) location.reload();
    hasTried.current = true;
    reset();
  }
  return <PageFailed kept={kept?.()} onRetry={retry} />;
}

type PageFailedProps = { kept?: ComponentChildren; onRetry?(): Promise<void> };

/** Renders a failure in place of a page. */
export function PageFailed({ kept, onRetry = async () => location.reload() }: PageFailedProps) {
  return (
    <main class="page narrow stage">
      {kept}
      <FailureNote
        failure={{ title: t('extension_failed_title'), text: t('extension_failed_text') }}
        onRetry={onRetry}
      />
    </main>
  );
}
