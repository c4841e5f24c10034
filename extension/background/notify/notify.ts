import { browser } from 'wxt/browser';
import { t } from '../../i18n/translate.ts';

const BADGE_MS = 4000;
const BADGE = {
  working: ['…', '#5c615c'],
  done: ['✓', '#0b6b57'],
  queued: ['…', '#5c615c'],
  failed: ['!', '#b3261e'],
} as const;

let clearing: ReturnType<typeof setTimeout> | undefined;

/** Says how a wish without a popup ended: a badge for the moment, a notification for the words. */
export async function notify(
  outcome: 'done' | 'queued' | 'failed',
  { title, message }: { title: string; message: string },
  /** Of the notification: one with the id of another takes its place. */
  id: string = crypto.randomUUID(),
): Promise<void> {
  showBadge(outcome);
  await browser.notifications.create(id, {
    type: 'basic',
    iconUrl: browser.runtime.getURL('/icon/128.png'),
    title: `${t('extension_name')}: ${title}`,
    message,
  });
}

/** Says that a wish without a popup is under way. Its end takes the badge's place. */
export function notifyWorking(): void {
  showBadge('working');
}

/** A worker that was stopped in those seconds leaves its badge; the next one takes it away. */
export function clearBadge(): void {
  void browser.action.setBadgeText({ text: '' });
}

function showBadge(outcome: keyof typeof BADGE): void {
  const [text, color] = BADGE[outcome];
  void browser.action.setBadgeBackgroundColor({ color });
  void browser.action.setBadgeTextColor({ color: '#ffffff' });
  void browser.action.setBadgeText({ text });
  clearTimeout(clearing);
  if (outcome !== 'working') clearing = setTimeout(clearBadge, BADGE_MS);
}
