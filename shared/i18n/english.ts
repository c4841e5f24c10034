/** Attributes of an element with a message of a server, which is in English. */
export const ENGLISH = { lang: 'en', dir: 'ltr' } as const;
