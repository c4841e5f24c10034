import { render } from 'preact';
import { t, translateDocument } from '../../i18n.ts';
import { send } from '../../messages.ts';
import { OptionsPage } from '../../options/OptionsPage.tsx';
import { createOptionsState } from '../../options/options-state.ts';
import { copyFromPage } from '../../page-clipboard.ts';

translateDocument('settings_title');
const app = document.getElementById('app') as HTMLElement;

const settings = await send('readSettings', {});
if (settings.ok) {
  const state = createOptionsState(settings.data, { send, copy: copyFromPage });
  await state.lookForToken();
  render(<OptionsPage state={state} />, app);
} else {
  render(<p role="alert">{t('extension_failed_text')}</p>, app);
}
