import { t } from '../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';

/** In place of a page that could not be loaded. */
export function PageFailed() {
  return (
    <FailureNote
      failure={{ title: t('unreachable_title'), text: t('unreachable_text', location.host) }}
      // Browsers may keep the failure of a file until the document is loaded again.
      onRetry={async () => location.reload()}
    />
  );
}
