import '../../i18n/browser-messages.ts';
import { render } from 'preact';
import { t, translateDocument } from '../../../shared/i18n/translate.ts';

translateDocument('extension_name');
const [title, ...message] = decodeURIComponent(location.hash.slice(1)).split('\n');
/** What a notification would say. */
render(
  <main class="page">
    <header class="head">
      <img class="mark" src="/icon/96.png" alt="" />
      <h1>{title}</h1>
    </header>
    <p class="notice-text">{message.join('\n')}</p>
    <div class="buttons">
      <button type="button" class="button" onClick={() => window.close()}>
        {t('close')}
      </button>
    </div>
  </main>,
  document.getElementById('app') as HTMLElement,
);
