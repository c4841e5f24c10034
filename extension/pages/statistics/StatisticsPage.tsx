import type { ReadonlySignal } from '@preact/signals';
import { t } from '../../../shared/i18n/translate.ts';
import { addressOf } from '../../../shared/links/shown-link.ts';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { LinkHeading } from '../../../shared/ui/statistics/LinkHeading.tsx';
import { Statistics } from '../../../shared/ui/statistics/Statistics.tsx';
import type { StatisticsState } from '../../../shared/ui/statistics/state/statistics-state.ts';
import type { ListedLink } from '../../links/link.ts';
import type { Account } from '../../messaging/protocol.ts';
import { Servers, serverUrl } from '../../ui/server/Servers.tsx';
import { LINKS_PAGE, STATISTICS_PAGE } from '../../urls/extension-pages.ts';
import { type ShownStatistics, statisticsUrl } from './shown-statistics.ts';

export type StatisticsPageProps = {
  state: StatisticsState;
  link: ShownStatistics['link'];
  /** The link with all that the account knows of it, once it is read. */
  listed: ReadonlySignal<ListedLink | undefined>;
  serverOrigin: string;
  /** Those in use. */
  accounts: Account[];
};

/** Visits of a link, or of all links of an account. */
export function StatisticsPage(props: StatisticsPageProps) {
  const { state, link, listed, serverOrigin, accounts } = props;
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
          backUrl={linksUrl}
          editUrl={`${linksUrl}&${new URLSearchParams({ edit: addressOf(link) })}`}
        />
      )}
      {!link && <Servers page={STATISTICS_PAGE} accounts={accounts} shown={serverOrigin} />}
      <FailureNote failure={state.failure.value} onRetry={state.refresh} />
      <Statistics
        state={state}
        linkUrl={({ shortUrl, title }) => statisticsUrl({ serverOrigin, shortUrl, title })}
      />
    </main>
  );
}
