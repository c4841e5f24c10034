import { t } from '../../../i18n/translate.ts';
import { type ShownLink, statusOf } from '../../../links/shown-link.ts';
import type { MenuItem } from '../../MenuButton.tsx';
import type { LinksState } from '../state/links-state.ts';

/** What can be done with a link, apart from copying: in the menu of its row and by keys. */
export function rowActions(link: ShownLink, state: LinksState): MenuItem[] {
  const status = statusOf(link);
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
        onSelect: () => state.requestPurge(link),
      },
    ];
  }
  const isActive = status !== 'inactive';
  const statisticsUrl = link.serverState && state.statisticsUrl?.(link);
  return [
    { label: t('link_edit'), icon: 'edit', key: 'e', onSelect: () => state.editing.open(link) },
    { label: t('qr_code'), icon: 'qr', key: 'q', onSelect: () => state.showQr(link) },
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
