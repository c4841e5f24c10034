import { t } from '../../../shared/i18n/translate.ts';
import { ShortcutList } from '../../ui/shortcuts/ShortcutList.tsx';
import type { Shortcut } from '../../ui/shortcuts/shortcuts.ts';
import { Step } from './Step.tsx';

export function HowToUse({ shortcuts, number }: { shortcuts: Shortcut[]; number: number }) {
  return (
    <Step number={number} heading={t('welcome_use_heading')}>
      <ul class="how-to">
        <li>{t('welcome_use_button')}</li>
        <li>{t(import.meta.env.FIREFOX ? 'welcome_pin_firefox' : 'welcome_pin_chromium')}</li>
        <li>{t('welcome_use_menu')}</li>
        <li>{t('welcome_use_keys')}</li>
      </ul>
      <ShortcutList shortcuts={shortcuts} />
    </Step>
  );
}
