import { t } from '../i18n.ts';
import { BehaviourSection } from './BehaviourSection.tsx';
import type { OptionsState } from './options-state.ts';
import { ServerSection } from './ServerSection.tsx';
import { ShortcutsSection } from './ShortcutsSection.tsx';
import { TokenSection } from './TokenSection.tsx';

export function OptionsPage({ state }: { state: OptionsState }) {
  return (
    <main class="page">
      <header class="head">
        <img class="mark" src="/icon/96.png" alt="" />
        <h1>{t('settings_title')}</h1>
      </header>
      <ServerSection state={state} />
      <TokenSection state={state} />
      <BehaviourSection settings={state.settings.value} onChange={state.save} />
      <ShortcutsSection shortcuts={state.shortcuts.value} onChange={state.changeShortcuts} />
    </main>
  );
}
