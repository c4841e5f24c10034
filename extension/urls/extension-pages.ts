/** The paths of the extension's own pages. */
export const POPUP_PAGE = '/popup.html';
export const OPTIONS_PAGE = '/options.html';
export const LINKS_PAGE = '/links.html';
/** My links, with the field for a new link. */
export const NEW_LINK_PAGE = '/links.html?new';
export const STATISTICS_PAGE = '/statistics.html';
export const WELCOME_PAGE = '/welcome.html';
export const OFFSCREEN_PAGE = '/offscreen.html';

/** The page of a QR code, in Firefox. */
export const qrPageOf = (shortUrl: string) => `/qr.html#${encodeURIComponent(shortUrl)}`;

/** The page of a text that would be in a notification. */
export const noticePageOf = (title: string, message: string) =>
  `/notice.html#${encodeURIComponent(`${title}\n${message}`)}`;
