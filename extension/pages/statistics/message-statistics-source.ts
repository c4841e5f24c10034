import { t } from '../../../shared/i18n/translate.ts';
import type { StatisticsSource } from '../../../shared/ui/statistics/statistics-source.ts';
import { errorText } from '../../i18n/error-text.ts';
import type { Failure, Send } from '../../messaging/protocol.ts';

/** Visits of a link, or without one of a whole account, by way of the background. */
export function createMessageStatisticsSource(
  send: Send,
  { serverOrigin, shortUrl }: { serverOrigin: string; shortUrl: string | undefined },
): StatisticsSource {
  return {
    async read(query) {
      const answer = await send('readStatistics', { serverOrigin, shortUrl, query });
      return answer.ok ? answer : { ok: false, failure: textOf(answer, serverOrigin) };
    },
  };
}

function textOf(failure: Failure, serverOrigin: string) {
  switch (failure.code) {
    case 'not_found':
      return { title: t('link_unknown_title'), text: t('link_unknown_text') };
    case 'token_required':
      return { title: t('statistics_no_account'), text: t('statistics_no_account_text') };
    default:
      return errorText(failure, serverOrigin);
  }
}
