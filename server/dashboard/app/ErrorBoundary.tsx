import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';

/** Shows a message in place of pages that fail to render. Without it, they would stay as they were before. */
export function ErrorBoundary({ children }: { children: ComponentChildren }) {
  const [failure] = useErrorBoundary((error) => reportError(error));
  if (!failure) return children;
  return (
    <main class="page narrow">
      <FailureNote
        failure={{ title: t('visit_error_title'), text: t('extension_failed_text') }}
        onRetry={async () => location.reload()}
      />
    </main>
  );
}
