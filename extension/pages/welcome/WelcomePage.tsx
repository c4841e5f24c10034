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
  const isServerFixed = state.isServerFixed.value;
  /** Steps before the first link. */
  const before = isServerFixed ? 0 : 1;
  const serverInput = useRef<HTMLInputElement>(null);
  return (
    <main class="page">
      <header class="head welcome-head">
        <img class="mark" src="/icon/96.png" alt="" />
        <h1>{t('welcome_title')}</h1>
        <button type="button" class="button plain" onClick={onLeave}>
          {t('welcome_skip')}
        </button>
        <p class="intro">
          {isServerFixed
            ? t('welcome_intro_managed', new URL(state.server.address.value).host)
            : t('welcome_intro')}
        </p>
      </header>
      {!isServerFixed && <ServerStep state={state} input={serverInput} />}
      <FirstLink
        state={state}
        number={before + 1}
        onServerError={() => serverInput.current?.focus()}
      />
      <HowToUse shortcuts={state.shortcuts} number={before + 2} isPinned={state.isPinned.value} />
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
