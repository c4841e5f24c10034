import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { type PlainKey, t } from '../../../i18n/translate.ts';
import { keyOf, type ShownLink, statusOf } from '../../../links/shown-link.ts';
import { ConfirmDialog } from '../../ConfirmDialog.tsx';
import { Icon, type IconName } from '../../Icon.tsx';
import type { LinksState } from '../state/links-state.ts';

export type RowActionsProps = {
  link: ShownLink;
  state: LinksState;
  /** Id of the element with the link's title. */
  titleId: string;
};

type Action = {
  name: string;
  text: PlainKey;
  icon: IconName;
  run: () => unknown;
  isExpanded?: boolean;
};

export function RowActions({ link, state, titleId }: RowActionsProps) {
  const id = useId();
  const isPurging = useSignal(false);
  const confirmPurge = () => {
    isPurging.value = true;
  };
  return (
    <div class="row-actions">
      {actionsOf(link, state, confirmPurge).map(({ name, text, icon, run, isExpanded }) => (
        <button
          type="button"
          class="button square"
          key={name}
          id={`${id}-${name}`}
          data-control={name}
          // Its own name and the link's title.
          aria-labelledby={`${id}-${name} ${titleId}`}
          aria-label={t(text)}
          aria-expanded={isExpanded}
          title={t(text)}
          onClick={run}
        >
          <Icon name={icon} />
        </button>
      ))}
      <ConfirmDialog
        isOpen={isPurging.value}
        title={t('link_purge_question')}
        confirm={t('link_purge')}
        isDanger
        onConfirm={() => void state.purge(link)}
        onClose={() => {
          isPurging.value = false;
        }}
      >
        <p>{t('link_purge_text')}</p>
        <p dir="ltr">{link.shortUrl}</p>
      </ConfirmDialog>
    </div>
  );
}

/** The last one removes the link in some way. */
function actionsOf(link: ShownLink, state: LinksState, confirmPurge: () => void): Action[] {
  const { editing, copied } = state;
  if (statusOf(link) === 'deleted') {
    return [
      { name: 'restore', text: 'link_restore', icon: 'undo', run: () => state.restore(link) },
      { name: 'remove', text: 'link_purge', icon: 'remove', run: confirmPurge },
    ];
  }
  const isCopied = copied.value?.shortUrl === link.shortUrl && copied.value.isCopied;
  const isActive = statusOf(link) !== 'inactive';
  const isEdited = editing.edited.value ? keyOf(editing.edited.value) === keyOf(link) : false;
  return [
    {
      name: 'copy',
      text: 'copy',
      icon: isCopied ? 'check' : 'copy',
      run: () => state.copyLink(link),
    },
    { name: 'qr', text: 'qr_code', icon: 'qr', run: () => state.showQr(link) },
    {
      name: 'edit',
      text: 'link_edit',
      icon: 'edit',
      isExpanded: isEdited,
      run: () => (isEdited ? editing.close() : editing.open(link)),
    },
    {
      name: 'pause',
      text: isActive ? 'link_pause' : 'link_resume',
      icon: isActive ? 'pause' : 'resume',
      run: () => state.setActive([link], !isActive),
    },
    { name: 'remove', text: 'link_delete', icon: 'remove', run: () => state.remove([link]) },
  ];
}
