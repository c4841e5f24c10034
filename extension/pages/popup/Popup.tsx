import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { LinkBar } from './LinkBar.tsx';
import { Notices } from './lazy-parts.ts';
import { Result, type ResultProps } from './result/Result.tsx';
import { Status } from './result/Status.tsx';
import { isUnsupportedPage } from './state/view.ts';
import { UrlForm } from './UrlForm.tsx';

export type PopupProps = ResultProps & { onOpenLinks: () => void };

export function Popup({ state, ...on }: PopupProps) {
  const { onOpenLinks, onOpenSettings } = on;
  const view = state.view.value;
  const settings = state.settings.value;
  const server = settings && new URL(settings.serverOrigin).host;
  const isUnsupported = isUnsupportedPage(view);
  // First where it is the only action, as on a page that can't be shortened.
  const addressForm = <UrlForm key="address" state={state} isOnlyAction={isUnsupported} />;
  return (
    <>
      <header class="bar">
        <img class="mark" src="/icon/48.png" alt="" />
        <h1 class="name">{t('extension_name')}</h1>
        <span class="server" dir="ltr" title={server}>
          {server}
        </span>
        <button
          type="button"
          class="button plain square"
          onClick={onOpenLinks}
          aria-label={t('links_title')}
          title={t('links_title')}
        >
          <Icon name="links" />
        </button>
        <button
          type="button"
          class="button plain square"
          onClick={onOpenSettings}
          aria-label={t('settings')}
          title={t('settings')}
        >
          <Icon name="settings" />
        </button>
      </header>

      <main>
        {isUnsupported && addressForm}
        <section class={`stage stage-${isUnsupported ? 'unsupported' : view.name}`} key="stage">
          <Status state={state} />
          <Result state={state} {...on} />
        </section>

        {!isUnsupported && view.name !== 'secret' && (
          <LinkBar key="options" state={state} onClose={on.onClose} />
        )}

        {!isUnsupported && addressForm}
      </main>

      {settings && <Notices state={state} serverOrigin={settings.serverOrigin} />}
    </>
  );
}
