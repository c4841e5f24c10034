import type { ComponentChildren } from 'preact';
import { t } from '../../../shared/i18n/translate.ts';
import { Icon, type IconName } from '../../../shared/ui/Icon.tsx';
import type { PageLink } from '../../links/link.ts';
import { isForServerOnly } from '../../urls/server-origin.ts';
import {
  isUnsupportedPage,
  type LinkNotice,
  type LinkView,
  type View,
} from './state/popup-model.ts';
import type { PopupState } from './state/popup-state.ts';

type Line = {
  icon: IconName | 'busy' | undefined;
  title: ComponentChildren;
  text?: ComponentChildren;
};

/**
 * Renders the current status as a live region. The element stays while its text changes, and takes the focus where
 * there is no button for it.
 */
export function Status({ state }: { state: PopupState }) {
  const view = state.view.value;
  const { icon, title, text } = lineOf(view, state);
  return (
    <div class="status-line">
      <div class="status" role="status" tabIndex={-1}>
        <p class="status-title">
          {icon === 'busy' && <span class="busy" aria-hidden="true" />}
          {icon && icon !== 'busy' && <Icon name={icon} />}
          {/* One item of the line, also where a link is named after the text. */}
          <span>{title}</span>
        </p>
        {text && <p class="status-text">{text}</p>}
      </div>
      {view.name === 'link' && view.reference && !view.isExisting && (
        <button type="button" class="link-button" onClick={state.undoCreate}>
          {t('undo')}
        </button>
      )}
    </div>
  );
}

function lineOf(view: View, { settings, isSlow, textOf }: PopupState): Line {
  const serverOrigin = settings.value?.serverOrigin;
  switch (view.name) {
    case 'working':
      return {
        icon: 'busy',
        title: t('working'),
        ...(isSlow.value && {
          text: t('slow_text', new URL(serverOrigin ?? 'http://localhost').host),
        }),
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
      const icon = view.name === 'queued' ? 'wait' : 'alert';
      const { title, text } = textOf(view.failure);
      return { icon: isUnsupportedPage(view) ? undefined : icon, title, text };
    }
    case 'link': {
      const { shortUrl } = view.link;
      const isUseless = serverOrigin !== undefined && isForServerOnly(shortUrl, serverOrigin);
      return {
        icon: view.copy === 'failed' || isUseless ? 'alert' : 'check',
        title: linkTitle(view),
        ...(isUseless && { text: t('base_url_loopback', new URL(shortUrl).origin, serverOrigin) }),
        ...(view.isNotSaved && { text: t('link_not_saved') }),
        ...(view.notice && { text: textAbout(view.notice, view.link) }),
      };
    }
    case 'deleted':
      return { icon: 'check', title: textAbout('link_deleted', view.link) };
  }
}

function linkTitle({ isExisting, isPagesOwn, copy }: LinkView): string {
  if (copy === 'failed') return t('copy_failed');
  if (isPagesOwn) return t(copy === 'done' ? 'own_short_link_copied' : 'own_short_link');
  if (copy === 'done') return t(isExisting ? 'link_exists_copied' : 'short_link_copied');
  return t(isExisting ? 'link_exists' : 'link_created');
}

function textAbout(notice: LinkNotice | 'link_deleted', { shortUrl }: PageLink) {
  return (
    <>
      {t(notice)} <bdi dir="ltr">{shortUrl.replace(/^https?:\/\//, '')}</bdi>
    </>
  );
}
