import { useId } from 'preact/hooks';
import { t } from '../../../i18n/translate.ts';
import { type ShownLink, statusOf } from '../../../links/shown-link.ts';
import { Icon } from '../../Icon.tsx';
import { MenuButton } from '../../MenuButton.tsx';
import type { LinksState } from '../state/links-state.ts';
import { rowActions } from './row-actions.ts';

export type RowActionsProps = {
  link: ShownLink;
  state: LinksState;
  /** Id of the element with the link's title. */
  titleId: string;
};

export function RowActions({ link, state, titleId }: RowActionsProps) {
  const id = useId();
  const copied = state.copied.value;
  const isCopied = copied?.shortUrl === link.shortUrl && copied.isCopied;
  return (
    <div class="row-actions">
      {statusOf(link) !== 'deleted' && (
        <button
          type="button"
          class="button square"
          id={`${id}-copy`}
          data-control="copy"
          // Its own name and the link's title.
          aria-labelledby={`${id}-copy ${titleId}`}
          aria-label={t('copy')}
          title={t('copy')}
          onClick={() => state.copyLink(link)}
        >
          <Icon name={isCopied ? 'check' : 'copy'} />
        </button>
      )}
      <MenuButton
        label={t('bulk_actions')}
        icon="more"
        describedBy={titleId}
        items={() => rowActions(link, state)}
      />
    </div>
  );
}
