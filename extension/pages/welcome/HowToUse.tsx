import { t } from '../../../shared/i18n/translate.ts';
import { ShortcutList } from '../../ui/shortcuts/ShortcutList.tsx';
import type { Shortcut } from '../../ui/shortcuts/shortcuts.ts';
import { PinPicture } from './PinPicture.tsx';
import { Step } from './Step.tsx';

export type HowToUseProps = { shortcuts: Shortcut[]; number: number; isPinned: boolean };

export function HowToUse({ shortcuts, number, isPinned }: HowToUseProps) {
  return (
    <Step number={number} heading={t('welcome_use_heading')} isDone={isPinned}>
      <ul class="how-to">
        <li>{t('welcome_use_button')}</li>
        {!isPinned && (
          <li>
            {t(import.meta.env.FIREFOX ? 'welcome_pin_firefox' : 'welcome_pin_chromium')}
            <PinPicture />
          </li>
        )}
        <li>{t('welcome_use_menu')}</li>
        <li>{t('welcome_use_keys')}</li>
      </ul>
      <ShortcutList shortcuts={shortcuts} />
    </Step>
  );
}
