import '../../i18n/browser-messages.ts';
import { render } from 'preact';
import { translateDocument } from '../../../shared/i18n/translate.ts';
import { NoticePage } from '../../pages/notice/NoticePage.tsx';

translateDocument('extension_name');
const [title = '', ...message] = decodeURIComponent(location.hash.slice(1)).split('\n');
render(
  <NoticePage title={title} message={message.join('\n')} onClose={() => window.close()} />,
  document.getElementById('app') as HTMLElement,
);
