import { t } from '../../i18n/translate.ts';
import type { LinkRecord } from '../../links/link-record.ts';
import type { MenuItem } from '../Menu.tsx';
import type { LinksState } from './state/links-state.ts';

/** Returns what can be done with a link, apart from copying: in the menu of its row and by keys. */
export function rowActions(link: LinkRecord, state: LinksState): MenuItem[] {
  const status = link.status;
  if (status === 'deleted') {
    return [
      {
        label: t('link_restore'),
        icon: 'undo',
        key: 'r',
        onSelect: () => void state.restore(link),
      },
      {
        label: t('link_purge'),
        icon: 'remove',
        key: 'Delete',
        onSelect() {
          state.askToPurge(link);
        },
      },
    ];
  }
  const isActive = status !== 'inactive';
  const statisticsUrl = state.statisticsUrl?.(link);
  const { newLink } = state;
  return [
    {
      label: t('link_edit'),
      icon: 'edit',
      key: 'e',
      onSelect() {
        state.edit(link);
      },
    },
    {
      label: t('copy_markdown'),
      icon: 'copy',
      key: 'm',
      onSelect: () => void state.copyMarkdown(link),
    },
    { label: t('open'), icon: 'open', key: 'o', href: link.shortUrl, isElsewhere: true },
    {
      label: t('qr_code'),
      icon: 'qr',
      key: 'q',
      onSelect() {
        state.showQr(link);
      },
    },
    ...(statisticsUrl
      ? [
          {
            label: t('link_statistics'),
            icon: 'statistics',
            key: 's',
            href: statisticsUrl,
          } as const,
        ]
      : []),
    ...(newLink
      ? [
          {
            label: t('link_duplicate'),
            icon: 'add',
            key: 'd',
            onSelect: () => void newLink.copyOf(link),
          } as const,
        ]
      : []),
    {
      label: t(isActive ? 'link_pause' : 'link_resume'),
      icon: isActive ? 'pause' : 'resume',
      key: 'p',
      onSelect: () => void state.setActive([link], !isActive),
    },
    {
      label: t('link_delete'),
      icon: 'remove',
      key: 'Delete',
      onSelect: () => void state.remove([link]),
    },
  ];
}
