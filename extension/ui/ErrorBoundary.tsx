import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { t } from '../../shared/i18n/translate.ts';

/** Shows a message in place of a page that fails to render. Without it, the page would stay as it was before. */
export function ErrorBoundary({ children }: { children: ComponentChildren }) {
  const [failure] = useErrorBoundary((error) => reportError(error));
  return failure ? <ExtensionFailed /> : children;
}

export function ExtensionFailed() {
  return (
    <main class="page stage">
      <p role="alert">{t('extension_failed_text')}</p>
    </main>
  );
}
