import '../../i18n/browser-messages.ts';
import { render } from 'preact';
import { translateDocument } from '../../../shared/i18n/translate.ts';
import { ErrorBoundary } from '../../../shared/ui/ErrorBoundary.tsx';
import { keepTranslatedTexts } from '../../../shared/ui/keep-translated-texts.ts';
import { QrPage } from '../../pages/qr/QrPage.tsx';

keepTranslatedTexts(document.body);
translateDocument('qr_code');
render(
  <ErrorBoundary>
    <QrPage shortUrl={decodeURIComponent(location.hash.slice(1))} />
  </ErrorBoundary>,
  document.getElementById('app') as HTMLElement,
);
