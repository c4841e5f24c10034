import type { MoveLinkOutcome } from '../administration.ts';
import type { OwnLink } from '../link.ts';
import { changedLink } from '../records/link-json.ts';
import { type Change, unchanged } from './change.ts';

/** See `Administration.moveLink`. */
export function moveLink({ linkId, accountId }: OwnLink, to: string): Change<MoveLinkOutcome> {
  return {
    needs: () => ({ accounts: [...new Set([accountId, to])], links: [linkId] }),
    decide: (view) => {
      const link = view.get('link', linkId);
      if (!view.get('account', to)) return unchanged('no_account');
      if (link?.accountId !== accountId) return unchanged('not_found');
      return {
        outcome: 'moved',
        records: [['link', linkId, changedLink(link, { accountId: to })]],
      };
    },
  };
}
