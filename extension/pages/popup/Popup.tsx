import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { ManageLink, Notices, OptionsForm } from './lazy-parts.ts';
import { Result } from './result/Result.tsx';
import { Status } from './result/Status.tsx';
import type { PopupState } from './state/popup-state.ts';
import { isUnsupportedPage } from './state/view.ts';
import { UrlForm } from './UrlForm.tsx';

export type PopupProps = {
  state: PopupState;
  onOpenLink: (url: string) => void;
  onOpenLinks: () => void;
  onOpenSettings: () => void;
  onSetUp: () => void;
  onClose: () => void;
};

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
          <Status view={view} serverOrigin={settings?.serverOrigin} isSlow={state.isSlow.value} />
          <Result state={state} {...on} />
        </section>

        {!isUnsupported && view.name !== 'secret' && (
          <section key="options">
            <div class="options-bar">
              <button
                type="button"
                class="button plain disclosure"
                aria-expanded={state.isFormOpen.value}
                onPointerEnter={OptionsForm.preload}
                onFocus={OptionsForm.preload}
                onClick={state.toggleForm}
              >
                <Icon name="chevron" />
                {t('options')}
              </button>
              {view.name === 'link' && (view.isExisting || view.isPagesOwn) && (
                <button type="button" class="button plain" onClick={state.createAnother}>
                  {t('create_another')}
                </button>
              )}
              {view.name === 'link' && view.reference && (
                <ManageLink
                  key={view.link.serverState?.id}
                  opened={{ link: view.link, reference: view.reference }}
                  popup={state}
                />
              )}
            </div>
            {state.isFormOpen.value && (
              <OptionsForm
                state={state}
                serverOrigin={settings?.serverOrigin}
                onClose={on.onClose}
              />
            )}
          </section>
        )}

        {!isUnsupported && addressForm}
      </main>

      {settings && <Notices state={state} serverOrigin={settings.serverOrigin} />}
    </>
  );
}
