/** Prefix of the name of the port that an open popup holds. The popup's id follows. */
export const POPUP_PORT = 'popup:';
/** Hash of the popup's URL: opens the form and shortens nothing on its own. */
export const WITH_OPTIONS = '#options';
/** Hash of the popup's URL: confirms the URL of a notification instead of the tab's. */
export const ABOUT_CONFIRMATION = '#confirm';
