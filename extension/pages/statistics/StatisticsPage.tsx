import type { ReadonlySignal } from '@preact/signals';
import { t } from '../../../shared/i18n/translate.ts';
import { addressOf } from '../../../shared/links/link-address.ts';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { LinkHeading } from '../../../shared/ui/statistics/LinkHeading.tsx';
import { Statistics } from '../../../shared/ui/statistics/Statistics.tsx';
import type { StatisticsState } from '../../../shared/ui/statistics/state/statistics-state.ts';
import type { SavedLink } from '../../links/link.ts';
import type { ServerTokens } from '../../messaging/protocol.ts';
import {
  Servers,
  type ShownStatistics,
  serverUrl,
  statisticsUrl,
} from '../../ui/server/account-pages.tsx';
import { LINKS_PAGE, STATISTICS_PAGE } from '../../urls/extension-pages.ts';

export type StatisticsPageProps = {
  state: StatisticsState;
  link: ShownStatistics['link'];
  /** The link with all that the account knows of it, once it is read. */
  listed: ReadonlySignal<SavedLink | undefined>;
  /** Shows the statistics of the link to everybody, or no longer. @returns why that failed */
  share(isPublic: boolean): Promise<string | undefined>;
  serverOrigin: string;
  /** Those with a token in use. */
  servers: ServerTokens[];
};

/** Visits of a link, or of all links of an account. */
export function StatisticsPage(props: StatisticsPageProps) {
  const { state, link, listed, share, serverOrigin, servers } = props;
  const linksUrl = serverUrl(LINKS_PAGE, serverOrigin);
  return (
    <main class="page">
      <header class="head">
        <img class="mark" src="/icon/96.png" alt="" />
        <h1>{t(link ? 'link_statistics' : 'nav_statistics')}</h1>
        <a class="button plain" href={linksUrl}>
          <Icon name="links" />
          {t('links_title')}
        </a>
      </header>
      {link && (
        <LinkHeading
          {...link}
          link={listed.value}
          share={share}
          backUrl={linksUrl}
          editUrl={`${linksUrl}&${new URLSearchParams({ edit: addressOf(link) })}`}
        />
      )}
      {!link && <Servers page={STATISTICS_PAGE} servers={servers} shown={serverOrigin} />}
      <FailureNote failure={state.failure.value} onRetry={state.refresh} />
      <Statistics
        state={state}
        linkUrl={({ shortUrl, title }) => statisticsUrl({ serverOrigin, shortUrl, title })}
      />
    </main>
  );
}
