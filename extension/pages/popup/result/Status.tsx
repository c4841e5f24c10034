import { t } from '../../../../shared/i18n/translate.ts';
import { Icon, type IconName } from '../../../../shared/ui/Icon.tsx';
import { isUnsupportedPage, type View } from '../state/view.ts';

type Line = { icon: IconName | 'busy' | undefined; title: string; text?: string };

export type StatusProps = {
  view: View;
  serverOrigin: string | undefined;
  /** Whether the server has been taking long. */
  isSlow: boolean;
};

/**
 * The current status as a live region. The element stays while its text changes, and takes the focus
 * where there is no button for it.
 */
export function Status({ view, serverOrigin, isSlow }: StatusProps) {
  const { icon, title, text } = lineOf(view, serverOrigin, isSlow);
  return (
    <div class="status" role="status" tabIndex={-1}>
      <p class="status-title">
        {icon === 'busy' && <span class="busy" aria-hidden="true" />}
        {icon && icon !== 'busy' && <Icon name={icon} />}
        {title}
      </p>
      {text && <p class="status-text">{text}</p>}
    </div>
  );
}

function lineOf(view: View, serverOrigin: string | undefined, isSlow: boolean): Line {
  switch (view.name) {
    case 'working':
      return {
        icon: 'busy',
        title: t('working'),
        ...(isSlow && { text: t('slow_text', new URL(serverOrigin ?? 'http://localhost').host) }),
      };
    case 'ready':
      return { icon: undefined, title: t('ready_to_shorten') };
    case 'secret':
      return {
        icon: 'alert',
        title: t('secret_title'),
        text: t('secret_why', new URL(serverOrigin ?? 'http://localhost').host),
      };
    case 'queued':
    case 'failed': {
      const { title, text } = view.failure.errorText;
      if (isUnsupportedPage(view)) return { icon: undefined, title, text };
      return { icon: view.name === 'queued' ? 'wait' : 'alert', title, text };
    }
    case 'link':
      return {
        icon: view.copy === 'failed' ? 'alert' : 'check',
        title: linkTitle(view),
        ...(view.isNotSaved && { text: t('link_not_saved') }),
      };
  }
}

function linkTitle({ isExisting, isPagesOwn, copy }: Extract<View, { name: 'link' }>): string {
  if (copy === 'failed') return t('copy_failed');
  if (isPagesOwn) return t(copy === 'done' ? 'own_short_link_copied' : 'own_short_link');
  if (copy === 'done') return t(isExisting ? 'link_exists_copied' : 'short_link_copied');
  return t(isExisting ? 'link_exists' : 'link_created');
}
