import type { ComponentChildren } from 'preact';
import { useErrorBoundary, useRef } from 'preact/hooks';
import { t } from '../i18n/translate.ts';
import { FailureNote } from './FailureNote.tsx';

export type ErrorBoundaryProps = {
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

/** In place of a page. */
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
