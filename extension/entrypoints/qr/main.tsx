import '../../i18n/browser-messages.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { QrPanel } from '../../../shared/ui/qr/QrPanel.tsx';
import { startPage } from '../../ui/start-page.tsx';

const show = startPage('qr_code');
const shortUrl = decodeURIComponent(location.hash.slice(1));
/** A QR code in a tab, where choosing a color or a file closes nothing. */
show(
  <main class="page">
    <header class="head">
      <img class="mark" src="/icon/96.png" alt="" />
      <h1>{t('qr_code')}</h1>
      <p class="intro">
        <bdi dir="ltr">{shortUrl.replace(/^https?:\/\//, '')}</bdi>
      </p>
    </header>
    <section class="card">
      <QrPanel shortUrl={shortUrl} />
    </section>
  </main>,
);
