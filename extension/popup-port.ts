/** Name of the port that a popup holds for as long as it is open. */
export const POPUP_PORT = 'popup';
