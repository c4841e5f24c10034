import { t } from '../../i18n/translate.ts';
import { Icon } from '../../ui/Icon.tsx';
import { AddressForm } from './AddressForm.tsx';
import { Notices, OptionsForm, Outcome } from './lazy-parts.ts';
import { Status } from './result/Status.tsx';
import type { PopupState } from './state/popup-state.ts';

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
  const cannotShorten = view.name === 'refused' && view.refusal.code.startsWith('page_');
  return (
    <>
      <header class="bar">
        <img class="mark" src="/icon/48.png" alt="" />
        <h1 class="name">{t('extension_name')}</h1>
        <span class="server" title={server}>
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
        <section class={`stage stage-${view.name}`}>
          <Status view={view} serverOrigin={settings?.serverOrigin} isSlow={state.isSlow.value} />
          <Outcome state={state} {...on} />
        </section>

        {cannotShorten || view.name === 'secret' ? (
          // Keeps what follows in its place.
          <div class="options-bar" />
        ) : (
          <section>
            <div class="options-bar">
              <button
                type="button"
                class="button plain disclosure"
                aria-expanded={state.isFormOpen.value}
                onPointerEnter={OptionsForm.preload}
                onFocus={OptionsForm.preload}
                onClick={() => {
                  state.isFormOpen.value = !state.isFormOpen.value;
                }}
              >
                <Icon name="chevron" />
                {t('options')}
              </button>
              {view.name === 'made' && (view.isMadeBefore || view.isPagesOwn) && (
                <button type="button" class="button plain" onClick={state.makeNew}>
                  {t('make_new_one')}
                </button>
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

        <AddressForm state={state} takesFocus={cannotShorten} />
      </main>

      {settings && <Notices state={state} serverOrigin={settings.serverOrigin} />}
    </>
  );
}
