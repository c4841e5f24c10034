import { linkAt } from '../../../shared/links/link-address.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import '../../../shared/ui/statistics/statistics.css';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Client, Failure, Result } from '../../../shared/client.ts';
import { type FailureText, failureText } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { addressOf } from '../../../shared/links/link-address.ts';
import type { AccountStatisticsQuery, StatisticsReport } from '../../../shared/statistics.ts';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import { LinkHeading } from '../../../shared/ui/statistics/LinkHeading.tsx';
import type { StatisticsSource } from '../../../shared/ui/statistics/report.ts';
import { Statistics } from '../../../shared/ui/statistics/Statistics.tsx';
import { createStatisticsState } from '../../../shared/ui/statistics/state/statistics-state.ts';
import type { Dashboard, PageProps } from '../app/dashboard.ts';
import { pathNameOf } from '../app/path-name.ts';
import { aliasIn, BASE, editLinkPath, linkStatisticsPath } from '../app/router.ts';

/** Visits of all links. */
export function StatisticsPage({ dashboard }: PageProps) {
  const state = useMemo(
    () =>
      createStatisticsState({
        source: accountStatistics(dashboard),
        name: 'account',
        address: dashboard.router,
      }),
    [dashboard],
  );
  return (
    <>
      <FailureNote failure={state.failure.value} onRetry={state.refresh} />
      <Statistics
        state={state}
        linkUrl={(link) => linkStatisticsPath(pathNameOf(link, dashboard.origin))}
      />
    </>
  );
}

/** Visits of the link whose alias is in the path. */
export function LinkStatisticsPage({ dashboard }: PageProps) {
  const alias = aliasIn(dashboard.router.path.value) ?? '';
  const state = useMemo(
    () =>
      createStatisticsState({
        source: linkStatistics(dashboard, alias),
        name: alias,
        address: dashboard.router,
      }),
    [dashboard, alias],
  );
  const link = useSignal<LinkRecord | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    link.value = undefined;
    void readLink(dashboard, alias).then((read) => {
      if (isCurrent) link.value = read;
    });
    return () => {
      isCurrent = false;
    };
  }, [state]);
  async function share(isPublic: boolean): Promise<string | undefined> {
    const shared = await shareStatistics(dashboard, alias, isPublic);
    if (!shared.ok) return dashboard.api.explain(shared);
    link.value = shared.data;
    return undefined;
  }
  const shortUrl = new URL(alias.includes('/') ? `//${alias}` : `/${alias}`, dashboard.origin).href;
  return (
    <>
      <LinkHeading
        shortUrl={shortUrl}
        title={link.value?.title || link.value?.label || ''}
        link={link.value}
        backUrl={BASE}
        editUrl={editLinkPath(addressOf(link.value ?? { shortUrl }))}
        share={share}
      />
      <FailureNote failure={state.failure.value} onRetry={state.refresh} />
      <Statistics
        state={state}
        linkUrl={(link) => linkStatisticsPath(pathNameOf(link, dashboard.origin))}
      />
    </>
  );
}

type Server = Pick<Dashboard, 'api' | 'origin'>;

/** Visits of all links of the account. */
function accountStatistics(server: Server): StatisticsSource {
  const { api } = server;
  return {
    ...sourceOf(server, (client, query) => client.getStatistics(query)),
    async tags() {
      const tags = await api.call((client) => client.listTags());
      return tags.ok ? tags.data.map(({ tag }) => tag) : [];
    },
  };
}

/** Visits of a link. */
function linkStatistics(server: Server, alias: string): StatisticsSource {
  return sourceOf(server, (client, query) =>
    client.getLinkStatistics({ ...linkAt(alias), ...query }),
  );
}

/** Reads a link; undefined if it can't be read, which the statistics report. */
async function readLink({ api }: Server, alias: string): Promise<LinkRecord | undefined> {
  const link = await api.call((client) => client.getLink(linkAt(alias)));
  return link.ok ? link.data : undefined;
}

/** Shows the statistics of a link to everybody, or no longer. */
function shareStatistics(
  { api }: Server,
  alias: string,
  publicStats: boolean,
): Promise<Result<LinkRecord>> {
  return api.call((client) => client.editLink({ ...linkAt(alias), body: { publicStats } }));
}

function sourceOf(
  { api, origin }: Server,
  read: (client: Client, query: AccountStatisticsQuery) => Promise<Result<StatisticsReport>>,
): StatisticsSource {
  return {
    async read(query) {
      const result = await api.call((client) => read(client, query));
      return result.ok ? result : { ...result, ...textOf(result, origin) };
    },
  };
}

function textOf(failure: Failure, origin: string): FailureText {
  if (failure.code !== 'not_found') return failureText(failure, origin);
  return { title: t('link_unknown_title'), text: t('link_unknown_text') };
}
