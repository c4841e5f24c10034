import { useRef } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { FirstLink } from './FirstLink.tsx';
import { HowToUse } from './HowToUse.tsx';
import { ServerStep } from './ServerStep.tsx';
import type { WelcomeState } from './welcome-state.ts';

export type WelcomePageProps = {
  state: WelcomeState;
  onLeave: () => void;
  onOpenSettings: () => void;
};

export function WelcomePage({ state, onLeave, onOpenSettings }: WelcomePageProps) {
  const serverInput = useRef<HTMLInputElement>(null);
  return (
    <main class="page">
      <header class="head welcome-head">
        <img class="mark" src="/icon/96.png" alt="" />
        <h1>{t('welcome_title')}</h1>
        <button type="button" class="button plain" onClick={onLeave}>
          {t('welcome_skip')}
        </button>
        <p class="intro">{t('welcome_intro')}</p>
      </header>
      <ServerStep state={state} input={serverInput} />
      <FirstLink state={state} onServerError={() => serverInput.current?.focus()} />
      <HowToUse shortcuts={state.shortcuts} />
      <footer class="buttons end">
        <button type="button" class="button" onClick={onOpenSettings}>
          {t('open_settings')}
        </button>
        <button type="button" class="button primary" onClick={onLeave}>
          {t('welcome_done')}
        </button>
      </footer>
    </main>
  );
}
