import { signal } from '@preact/signals';
import { linkEtag } from '../../../shared/links/link-etag.ts';
import type { LinkFailure, LinkSource, Outcome } from '../../../shared/ui/links/link-source.ts';
import type { ListedLink } from '../../links/link.ts';
import type { Answer, Failure, LinkReference, Send } from '../../messaging/protocol.ts';
import { failureText, noticeOf } from './source-texts.ts';

export type MessageLinkSourceOptions = {
  send: Send;
  /** Origin of the server whose account has the links. */
  serverOrigin: string;
  /** Calls back when links may have changed elsewhere. @returns a function that stops it */
  subscribe(onChange: () => void): () => void;
};

/** The links of an account, which the background reads from its server. */
export function createMessageLinkSource({
  send,
  serverOrigin,
  subscribe,
}: MessageLinkSourceOptions): LinkSource {
  const notices = signal<string[]>([]);

  function toFailure(failure: Failure): LinkFailure {
    const { code, issues, suggestions } = failure;
    return { ok: false, code, issues, suggestions, text: failureText(failure, serverOrigin) };
  }

  const toOutcome = <T>(answer: Answer<T>): Outcome<T> => (answer.ok ? answer : toFailure(answer));

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

    async knowsCountries() {
      const answer = await send('readCountries', { serverOrigin });
      return answer.ok && answer.data;
    },

    async domains() {
      const known = await send('readDomains', { serverOrigin });
      return known.ok ? (known.data?.domains ?? []) : [];
    },

    async tags() {
      return toOutcome(await send('readTags', { serverOrigin }));
    },

    async changeAll(selection, change, options = {}) {
      return toOutcome(await send('changeLinks', { serverOrigin, selection, change, options }));
    },

    async edit(link: ListedLink, changes, { isConditional = false } = {}) {
      const ifMatch = isConditional && link.serverState ? linkEtag(link.serverState) : undefined;
      const answer = await send('editLink', { link: toReference(link), changes, ifMatch });
      return answer.ok ? answer : { ...toFailure(answer), current: answer.current };
    },

    async remove(link: ListedLink) {
      return toOutcome(await send('deleteLink', toReference(link)));
    },

    async restore(link: ListedLink) {
      return toOutcome(await send('restoreLink', { link }));
    },

    async purge(link: ListedLink) {
      return toOutcome(await send('purgeLink', toReference(link)));
    },
  };
}

function toReference({ serverOrigin, shortUrl }: ListedLink): LinkReference {
  return { serverOrigin, shortUrl };
}
