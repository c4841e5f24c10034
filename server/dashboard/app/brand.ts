/** The operator's name and logo, which the server has written into the document. */
export const brand = {
  name: document.title,
  iconUrl: document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? '',
};
