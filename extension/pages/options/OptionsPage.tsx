import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { LINKS_PAGE } from '../../urls/extension-pages.ts';
import { AccountSection } from './account/AccountSection.tsx';
import { AboutSection } from './sections/AboutSection.tsx';
import { CopyingSection } from './sections/CopyingSection.tsx';
import { DataSection } from './sections/DataSection.tsx';
import { ServerSection } from './sections/ServerSection.tsx';
import { ShortcutsSection } from './sections/ShortcutsSection.tsx';
import { ShorteningSection } from './sections/ShorteningSection.tsx';
import type { OptionsState } from './state/options-state.ts';

export function OptionsPage({ state }: { state: OptionsState }) {
  const { invalid } = state.policy.value;
  return (
    <main class="page">
      <header class="head">
        <img class="mark" src="/icon/96.png" alt="" />
        <h1>{t('settings_title')}</h1>
        <a class="button plain" href={LINKS_PAGE}>
          <Icon name="links" />
          {t('links_title')}
        </a>
      </header>
      {invalid.length > 0 && (
        <p class="warning" role="alert">
          {t('managed_invalid', invalid.join(', '))}
        </p>
      )}
      <ServerSection state={state} />
      <AccountSection state={state.account} note={state.notes.account.value} />
      <ShorteningSection state={state} />
      <CopyingSection state={state} />
      <ShortcutsSection shortcuts={state.shortcuts.value} onChange={state.changeShortcuts} />
      <DataSection state={state} />
      <AboutSection serverOrigin={state.settings.value.serverOrigin} />
    </main>
  );
}
