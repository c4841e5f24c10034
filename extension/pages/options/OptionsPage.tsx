import { browser } from 'wxt/browser';
import { formatList } from '../../../shared/i18n/format-list.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { LINKS_PAGE, WELCOME_PAGE } from '../../urls/extension-pages.ts';
import { AccountSection } from './AccountSection.tsx';
import { Card } from './Card.tsx';
import { DataSection } from './DataSection.tsx';
import type { OptionsState } from './options-state.ts';
import { ServerSection } from './ServerSection.tsx';
import { CopyingSection, ShortcutsSection, ShorteningSection } from './SettingsSections.tsx';

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
          {t('managed_invalid', formatList(invalid))}
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

function AboutSection({ serverOrigin }: { serverOrigin: string }) {
  return (
    <Card name="about" heading={t('about_heading')}>
      <p>{t('about_version', browser.runtime.getManifest().version)}</p>
      <p class="buttons">
        <a class="button" href={WELCOME_PAGE} target="_blank" rel="noreferrer">
          {t('about_first_steps')}
        </a>
        <a class="button" href={serverOrigin} target="_blank" rel="noreferrer">
          {t('about_server')}
        </a>
      </p>
    </Card>
  );
}
