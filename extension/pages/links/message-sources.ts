import { signal } from '@preact/signals';
import { abilitiesOf } from '../../../shared/abilities.ts';
import { failureSentences } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { linkEtag } from '../../../shared/links/link-etag.ts';
import { toBulkCall, toChangedLinks } from '../../../shared/ui/links/link-calls.ts';
import { linkFailureText } from '../../../shared/ui/links/link-failure-text.ts';
import type { LinkFailure, LinkSource, Outcome } from '../../../shared/ui/links/link-source.ts';
import type { StatisticsSource } from '../../../shared/ui/statistics/report.ts';
import { errorText } from '../../i18n/error-text.ts';
import type { SavedLink } from '../../links/link.ts';
import { callServer } from '../../messaging/call-server.ts';
import type {
  Failure,
  FailureCode,
  LinkReference,
  Result,
  Send,
} from '../../messaging/protocol.ts';

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
  const call = callServer(send, serverOrigin);

  function toFailure(failure: Failure): LinkFailure {
    const { code, issues, suggestions, current } = failure;
    const text = failureText(failure, serverOrigin);
    return { ok: false, code, issues, suggestions, text, current };
  }

  const toOutcome = <T>(answer: Result<T>): Outcome<T> => (answer.ok ? answer : toFailure(answer));

  const toDone = (answer: Result<unknown>): Outcome<true> =>
    answer.ok ? { ok: true, data: true } : toFailure(answer);

  return {
    notices,
    subscribe,

    async page(query, cursor) {
      const page = await send('readLinks', { serverOrigin, query, cursor });
      if (page.ok && cursor === undefined) {
        const { failure } = page.data;
        notices.value = failure ? [noticeOf(failure, serverOrigin)] : [];
      }
      return toOutcome(page);
    },

    async abilities() {
      return abilitiesOf(await call('getHealth', {}));
    },

    async domains() {
      const known = await send('readDomains', { serverOrigin });
      return known.ok ? (known.data?.domains ?? []) : [];
    },

    async tags() {
      return toOutcome(await call('listTags', {}));
    },

    async changeAll(selection, change, options = {}) {
      const { body, query } = toBulkCall(selection, change, options);
      const changed = await call('changeLinks', { body, ...query });
      return changed.ok ? { ok: true, data: toChangedLinks(changed.data) } : toFailure(changed);
    },

    async edit(link: SavedLink, body, { isConditional = false } = {}) {
      const ifMatch = isConditional ? linkEtag(link) : undefined;
      return toOutcome(await call('editLink', { body, ifMatch }, { link: toReference(link) }));
    },

    async remove(link: SavedLink) {
      return toDone(await call('deleteLink', {}, { link: toReference(link) }));
    },

    async restore(link: SavedLink) {
      return toOutcome(await call('restoreLink', {}, { link }));
    },

    async purge(link: SavedLink) {
      return toDone(await call('deleteLink', { purge: true }, { link: toReference(link) }));
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
  const call = callServer(send, serverOrigin);
  return {
    async read(query) {
      const answer = await (shortUrl === undefined
        ? call('getStatistics', query)
        : call('getLinkStatistics', query, { link: { serverOrigin, shortUrl } }));
      return answer.ok
        ? answer
        : { ok: false, failure: statisticsFailureText(answer, serverOrigin) };
    },
    ...(shortUrl === undefined && {
      async tags() {
        const tags = await call('listTags', {});
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
