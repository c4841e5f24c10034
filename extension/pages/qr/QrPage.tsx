import { t } from '../../../shared/i18n/translate.ts';
import { QrPanel } from '../../../shared/ui/qr/QrPanel.tsx';

/** A QR code in a tab, where choosing a color or a file closes nothing. */
export function QrPage({ shortUrl }: { shortUrl: string }) {
  return (
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
    </main>
  );
}
