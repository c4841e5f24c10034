import { effect, type Signal } from '@preact/signals';
import { aliasOf, hostOf } from '../../../links/link-address.ts';
import type { LinkRecord } from '../../../links/link-record.ts';
import type { LinkStatus } from '../../../links/link-status.ts';
import type { DomainChoice } from '../../DomainSelect.tsx';
import type { ChangeTools } from './change-links.ts';

/** What follows from the list, and no first row needs. */
export type FollowingSignals = {
  /** The link in the form. */
  edited: Signal<LinkRecord | undefined>;
  /** The statuses that links have, once all of them are known. */
  statuses: Signal<ReadonlySet<LinkStatus> | undefined>;
  /** A filter and a choice in the form, if there are several. */
  domains: Signal<DomainChoice[]>;
};

type Tools = Pick<ChangeTools, 'source' | 'loading' | 'undo'> & FollowingSignals;

/** Creates what follows each list that is read. */
export function createFollowing({ source, loading, undo, edited, statuses, domains }: Tools) {
  /** Opens the form of a link that is shown. @param name its alias, or its address */
  function editNamed(name: string): void {
    const wanted = name.toLowerCase();
    const named = loading.links.value.find((link) => namesOf(link).includes(wanted));
    if (named) edited.value = named;
  }

  /** @param editedAlias the link whose form opens @returns a function that stops it */
  function follow(editedAlias: string): () => void {
    const stops = [
      effect(() => {
        const { links, hasMore, isFiltered, isLoading } = loading;
        const known = new Set(links.value.map(({ status }) => status));
        if (isLoading.value || isFiltered.value) return;
        statuses.value = hasMore.value ? undefined : known;
      }),
      effect(() => {
        const present = loading.links.value.filter(({ status }) => status !== 'deleted');
        undo.forget(new Set(present.map(({ id }) => id)));
      }),
    ];
    editNamed(editedAlias);
    void source.domains().then((known) => {
      domains.value = known;
    });
    return () => {
      for (const stop of stops) stop();
    };
  }

  return { editNamed, follow };
}

/** What a page's address can name a link by, in lower case. */
function namesOf(link: LinkRecord): string[] {
  const aliases = [aliasOf(link), ...link.previousAliases];
  return aliases
    .flatMap((alias) => [alias, `${hostOf(link)}/${alias}`])
    .map((name) => name.toLowerCase());
}
