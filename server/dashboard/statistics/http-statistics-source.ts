import type { Client, Failure, Result } from '../../../shared/client.ts';
import { type FailureText, failureText } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { type ShownLink, toShownLink } from '../../../shared/links/shown-link.ts';
import type { StatisticsQuery, StatisticsReport } from '../../../shared/statistics.ts';
import type { StatisticsSource } from '../../../shared/ui/statistics/statistics-source.ts';
import type { Dashboard } from '../app/dashboard.ts';

type Server = Pick<Dashboard, 'api' | 'origin'>;

/** Visits of all links of the account. */
export function accountStatistics(server: Server): StatisticsSource {
  return sourceOf(server, (client, token, query) => client.accountStatistics(token, query));
}

/** Visits of a link. */
export function linkStatistics(server: Server, alias: string): StatisticsSource {
  return sourceOf(server, (client, token, query) => client.linkStatistics(token, alias, query));
}

/** A link; undefined if it can't be read, which the statistics report. */
export async function readLink({ api }: Server, alias: string): Promise<ShownLink | undefined> {
  const link = await api.call((client, token) => client.readLink({ alias, token }));
  return link.ok ? toShownLink(link.data) : undefined;
}

function sourceOf(
  { api, origin }: Server,
  read: (
    client: Client,
    token: string,
    query: StatisticsQuery,
  ) => Promise<Result<StatisticsReport>>,
): StatisticsSource {
  return {
    async read(query) {
      const result = await api.call((client, token) => read(client, token, query));
      return result.ok ? result : { ok: false, failure: textOf(result, origin) };
    },
  };
}

function textOf(failure: Failure, origin: string): FailureText {
  if (failure.code !== 'not_found') return failureText(failure, origin);
  return { title: t('link_unknown_title'), text: t('link_unknown_text') };
}
