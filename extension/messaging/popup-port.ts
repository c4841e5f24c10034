/** What the name of the port begins with that a popup holds while it is open; its id follows. */
export const POPUP_PORT = 'popup:';
/** At the end of the popup's address: it opens its form, and makes nothing by itself. */
export const WITH_OPTIONS = '#options';
/** At the end of the popup's address: it is about what a notification asked, not about a tab. */
export const ABOUT_CONFIRMATION = '#confirm';
