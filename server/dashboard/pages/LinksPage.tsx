import { t } from '../../../shared/i18n/translate.ts';
import type { PageProps } from '../app/dashboard.ts';

/** The account's links. */
export function LinksPage(_: PageProps) {
  return <p class="intro">{t('links_empty')}</p>;
}
