import { fakeBrowser } from 'wxt/testing/fake-browser';

/** Adds a toolbar to the fake browser, and allows notifications. @returns the badge's texts so far, oldest first */
export function giveToolbar(): string[] {
  const badges: string[] = [];
  const nothing = async () => {};
  Object.assign(fakeBrowser.action, {
    setBadgeText: async ({ text }: { text: string }) => void badges.push(text),
    setBadgeTextColor: nothing,
    setBadgeBackgroundColor: nothing,
  });
  Object.assign(fakeBrowser.notifications, { getPermissionLevel: async () => 'granted' });
  return badges;
}

type Notification = { title?: string; message?: string };

/** The shown notifications by id. */
export function shownNotifications(): Record<string, Notification> {
  const { notifications } = fakeBrowser as unknown as {
    notifications: { getAllCreateOptions(): Record<string, Notification> };
  };
  return notifications.getAllCreateOptions();
}
