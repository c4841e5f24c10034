/** What runs or shows something else than it says, in a browser or its pages. No server links to these. */
export const UNSAFE_SCHEMES = [
  ...['javascript', 'data', 'file', 'vbscript', 'blob', 'about', 'filesystem', 'view-source'],
  ...['livescript', 'jar', 'resource', 'chrome', 'chrome-extension', 'moz-extension', 'edge'],
];

const SCHEME = /^([a-z][a-z\d+.-]*):/i;

/** Returns the scheme of a URL in lower case, without its colon; undefined if the text does not begin with one. */
export function schemeOf(text: string): string | undefined {
  return SCHEME.exec(text)?.[1]?.toLowerCase();
}

export function isWebScheme(scheme: string | undefined): boolean {
  return scheme === 'http' || scheme === 'https';
}
