import { fakeBrowser } from 'wxt/testing/fake-browser';

/** The in-memory browser has no toolbar. @returns the badge's words so far, oldest first */
export function giveToolbar(): string[] {
  const badges: string[] = [];
  const nothing = async () => {};
  Object.assign(fakeBrowser.action, {
    setBadgeText: async ({ text }: { text: string }) => void badges.push(text),
    setBadgeTextColor: nothing,
    setBadgeBackgroundColor: nothing,
  });
  return badges;
}

type Notification = { title?: string; message?: string };

/** The notifications shown, by id. */
export function shownNotifications(): Record<string, Notification> {
  const { notifications } = fakeBrowser as unknown as {
    notifications: { getAllCreateOptions(): Record<string, Notification> };
  };
  return notifications.getAllCreateOptions();
}
