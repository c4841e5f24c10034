import { signal } from '@preact/signals';
import { abilitiesOf } from '../../../shared/abilities.ts';
import type { Explained, Result as SharedResult } from '../../../shared/client.ts';
import { failureSentences } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { linkEtag } from '../../../shared/links/link-etag.ts';
import { toBulkCall, toChangedLinks } from '../../../shared/ui/links/bulk-call.ts';
import { linkFailureText } from '../../../shared/ui/links/link-failure-text.ts';
import type { LinkSource } from '../../../shared/ui/links/link-source.ts';
import type { StatisticsSource } from '../../../shared/ui/statistics/report.ts';
import { errorText } from '../../i18n/error-text.ts';
import type { SavedLink } from '../../links/link.ts';
import type { Failure, FailureCode, LinkReference, Result } from '../../messaging/protocol.ts';
import type { Send } from '../../messaging/send.ts';

type MessageLinkSourceOptions = {
  send: Send;
  /** Origin of the server whose account has the links. */
  serverOrigin: string;
  /** Calls back when links may have changed elsewhere. @returns a function that stops it */
  subscribe(onChange: () => void): () => void;
};

/** Creates the links of an account, which the background reads from its server. */
export function createMessageLinkSource({
  send,
  serverOrigin,
  subscribe,
}: MessageLinkSourceOptions): LinkSource {
  const notices = signal<string[]>([]);

  const explained = <T>(result: Result<T>): SharedResult<T, Explained> =>
    result.ok ? result : { ...result, text: failureText(result, serverOrigin) };

  return {
    notices,
    subscribe,

    async page(query, cursor) {
      const page = await send('readLinks', { serverOrigin, query, cursor });
      if (page.ok && cursor === undefined) {
        const { failure } = page.data;
        notices.value = failure ? [noticeOf(failure, serverOrigin)] : [];
      }
      return explained(page);
    },

    async abilities() {
      return abilitiesOf(await send('getHealth', { serverOrigin }));
    },

    async domains() {
      const known = await send('readDomains', { serverOrigin });
      return known.ok ? (known.data?.domains ?? []) : [];
    },

    async tags() {
      return explained(await send('listTags', { serverOrigin }));
    },

    async changeAll(selection, change, options = {}) {
      const { body, query } = toBulkCall(selection, change, options);
      const changed = await send('changeLinks', { serverOrigin, body, ...query });
      return changed.ok ? { ok: true, data: toChangedLinks(changed.data) } : explained(changed);
    },

    async edit(link: SavedLink, body, { isConditional = false } = {}) {
      const ifMatch = isConditional ? linkEtag(link) : undefined;
      return explained(await send('editLink', { link: toReference(link), body, ifMatch }));
    },

    async remove(link: SavedLink) {
      return explained(await send('deleteLink', { link: toReference(link) }));
    },

    async restore(link: SavedLink) {
      return explained(await send('restoreLink', { link }));
    },

    async purge(link: SavedLink) {
      return explained(await send('deleteLink', { link: toReference(link), purge: true }));
    },
  };
}

function toReference({ serverOrigin, shortUrl }: SavedLink): LinkReference {
  return { serverOrigin, shortUrl };
}

/** The server itself did not respond. */
const AWAY = new Set<FailureCode>(['unreachable', 'timeout', 'gateway_error', 'unreadable_answer']);

/** @param serverOrigin absent for failures of the extension itself */
export function failureText(failure: Failure, serverOrigin?: string): string {
  // Nothing was to be created here, as the general text says.
  if (failure.code === 'invalid_token') {
    return t('title_and_text', t('invalid_token_title'), t('manage_token_text'));
  }
  return linkFailureText(failure.code) ?? failureSentences(errorText(failure, serverOrigin));
}

/** Why the saved links are shown instead of the server's. */
function noticeOf(failure: Failure, serverOrigin: string): string {
  const server = new URL(serverOrigin).host;
  return AWAY.has(failure.code)
    ? t('list_offline', server)
    : t('list_stale', server, failureText(failure, serverOrigin));
}

/** Visits of a link, or without one of a whole account, by way of the background. */
export function createMessageStatisticsSource(
  send: Send,
  { serverOrigin, shortUrl }: { serverOrigin: string; shortUrl: string | undefined },
): StatisticsSource {
  return {
    async read(query) {
      const answer = await (shortUrl === undefined
        ? send('getStatistics', { serverOrigin, ...query })
        : send('getLinkStatistics', { link: { serverOrigin, shortUrl }, ...query }));
      return answer.ok ? answer : { ...answer, ...statisticsFailureText(answer, serverOrigin) };
    },
    ...(shortUrl === undefined && {
      async tags() {
        const tags = await send('listTags', { serverOrigin });
        return tags.ok ? tags.data.map(({ tag }) => tag) : [];
      },
    }),
  };
}

function statisticsFailureText(failure: Failure, serverOrigin: string) {
  switch (failure.code) {
    case 'not_found':
      return { title: t('link_unknown_title'), text: t('link_unknown_text') };
    case 'token_required':
      return { title: t('statistics_no_account'), text: t('statistics_no_account_text') };
    default:
      return errorText(failure, serverOrigin);
  }
}
