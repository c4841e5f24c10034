import { browser } from 'wxt/browser';
import { t } from '../../../../shared/i18n/translate.ts';
import { WELCOME_PAGE } from '../../../urls/extension-pages.ts';
import { Card } from '../Card.tsx';

export function AboutSection({ serverOrigin }: { serverOrigin: string }) {
  return (
    <Card name="about" heading={t('about_heading')}>
      <p>{t('about_version', browser.runtime.getManifest().version)}</p>
      <p class="buttons">
        <a class="button" href={WELCOME_PAGE} target="_blank" rel="noreferrer">
          {t('about_first_steps')}
        </a>
        <a class="button" href={serverOrigin} target="_blank" rel="noreferrer">
          {t('about_server')}
        </a>
      </p>
    </Card>
  );
}
