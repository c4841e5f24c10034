import { Icon } from '../Icon.tsx';
import { t } from '../i18n.ts';
import { AboutSection } from './AboutSection.tsx';
import { AccountSection } from './AccountSection.tsx';
import { CopyingSection } from './CopyingSection.tsx';
import { DataSection } from './DataSection.tsx';
import { MakingSection } from './MakingSection.tsx';
import type { OptionsState } from './options-state.ts';
import { ServerSection } from './ServerSection.tsx';
import { ShortcutsSection } from './ShortcutsSection.tsx';

export function OptionsPage({ state }: { state: OptionsState }) {
  return (
    <main class="page">
      <header class="head">
        <img class="mark" src="/icon/96.png" alt="" />
        <h1>{t('settings_title')}</h1>
        <a class="button plain" href="/links.html">
          <Icon name="links" />
          {t('links_title')}
        </a>
      </header>
      <ServerSection state={state} />
      <AccountSection state={state.account} note={state.notes.account.value} />
      <MakingSection state={state} />
      <CopyingSection state={state} />
      <ShortcutsSection shortcuts={state.shortcuts.value} onChange={state.changeShortcuts} />
      <DataSection state={state} />
      <AboutSection serverOrigin={state.settings.value.serverOrigin} />
    </main>
  );
}
