import { ORIGINAL_URL_MAX_CHARACTERS } from '../../shared/bounds.ts';
import { parametersOf, removeParameters, splitUrl } from '../../shared/links/query-parameters.ts';

/** A part of a URL that grants access. Has its name, never its value. */
export type Secret =
  | { kind: 'parameter'; name: string }
  /** `user:password@` before the host. */
  | { kind: 'credentials' }
  /** A key that decrypts the page. It is in the fragment, so that the site's server does not receive it. */
  | { kind: 'fragment_key' }
  | { kind: 'reset_link' }
  /** A token or session id in the path. */
  | { kind: 'path_token' };

export type FoundSecrets = {
  secrets: Secret[];
  /** The URL without the secrets; absent if it would not work without them. */
  without?: string;
};

/*
 * Names as normalized by `nameOf`. Sources: OAuth 2.0 (RFC 6749, 6750) and OpenID Connect Core; JWT
 * (RFC 7519); AWS Signature Version 4, "query parameters"; Google Cloud Storage, "signed URLs";
 * Azure Storage, "service SAS"; the session parameters of PHP, Java servlets and ASP.NET; CAS
 * protocol 3.0 (`ticket`); SAML 2.0, "bindings"; GitLab, "token overview"; Devise and Firebase for
 * links that set a password or invite.
 */
const TOKENS = new Set([
  ...['token', 'accesstoken', 'idtoken', 'refreshtoken', 'authtoken', 'sessiontoken', 'apitoken'],
  ...['usertoken', 'bearertoken', 'jwt', 'auth', 'authorization', 'apikey', 'key', 'secret'],
  ...['clientsecret', 'ticket', 'sid', 'sessid', 'sessionid', 'phpsessid', 'jsessionid'],
  ...['session', 'aspnetsessionid', 'xapikey', 'accesskey', 'secretkey', 'privatetoken'],
  ...['feedtoken', 'rsstoken', 'remembertoken', 'samlresponse'],
]);
/** A URL does not work without these. */
const SIGNATURES = new Set([
  ...['sig', 'signature', 'hmac', 'xamzsignature', 'xamzsecuritytoken', 'xgoogsignature'],
  ...['resettoken', 'resetpasswordtoken', 'passwordresettoken', 'confirmationtoken', 'resetkey'],
  ...['verificationtoken', 'activationtoken', 'logintoken', 'oobcode', 'unlocktoken'],
  ...['invitationtoken', 'invitetoken'],
]);
/** `pwd` is what links to meetings have, such as those of Zoom. */
const PASSWORDS = new Set(['password', 'passwd', 'passphrase', 'pwd']);
/** Tokens with unambiguous names: any value of some length is a secret. */
const SURE_TOKENS = new Set([
  ...['accesstoken', 'idtoken', 'refreshtoken', 'authtoken', 'sessiontoken', 'apitoken'],
  ...['bearertoken', 'clientsecret', 'apikey', 'secretkey', 'privatetoken', 'remembertoken'],
]);
const SURE_MIN_CHARACTERS = 8;

/**
 * Keys whose format names their service, whatever the parameter is called: OpenAI and Anthropic, AWS,
 * GitHub, GitLab, Google, Slack, Stripe, npm and Hugging Face.
 *
 * Source: GitHub Docs, "Supported secret scanning patterns", and the keys that these services issue.
 */
const SERVICE_KEY =
  /^(sk-(proj|svcacct|admin|ant|or)-[\w-]{16,}|sk-[A-Za-z\d]{40,}|(AKIA|ASIA)[A-Z\d]{16}|gh[pousr]_\w{36,}|github_pat_\w{22,}|gl(pat|ft)-[\w-]{20,}|AIza[\w-]{35}|xox[abeoprs]-[\w-]{10,}|[rs]k_(live|test)_\w{16,}|npm_\w{36}|hf_\w{30,})$/;
const JWT_START = /\beyJ/;
const JWT_HEADER_MIN_CHARACTERS = 11;
const JWT_PAYLOAD = /^[\w-]{8,}$/;
const BASE64URL_CHARACTER = /[\w-]/;
/** An e-mail address, also as a part of a value. Versions such as `react@18.2` and handles are none. */
const EMAIL = /[\w.%+-]@[a-z\d-]+\.[a-z]/i;
const CREDENTIALS = /^(https?:\/\/)[^/?#\\]*@/i;
const SESSION_IN_PATH = /;(jsessionid|phpsessid|sid)=[\w.!-]{8,}/gi;
/** Google's private calendars; the webhooks of Slack and Discord; the bots of Telegram. */
const TOKEN_IN_PATH =
  /\/private-[\da-f]{32}\/|^\/services\/T\w+\/B\w+\/\w{16,}|^\/api\/webhooks\/\d+\/[\w-]{20,}|^\/bot\d+:[\w-]{20,}/;
const RESET_PATH =
  /(reset|forgot|forgotten|recover|set|change|new)[-_/]?(my|your)?[-_/]?(password|passwd|passwort)|(password|passwd|passwort)s?[-_/](reset|recover|recovery|set|edit|new|change)|magic[-_]?link|accounts?\/(reset|recovery)/i;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Enough for 80 random bits in base 36, and longer than most words. */
const RANDOM_MIN_CHARACTERS = 16;

/**
 * Finds what looks like a secret in a URL; returns undefined if there is nothing, or if the URL is too long for
 * a link anyway.
 */
export function findSecrets(url: string): FoundSecrets | undefined {
  if (url.length > ORIGINAL_URL_MAX_CHARACTERS) return undefined;
  const { path, query = '', fragment } = splitUrl(url);
  const secrets: Secret[] = [];
  let isNeeded = false;
  let without = url;

  if (CREDENTIALS.test(url)) {
    secrets.push({ kind: 'credentials' });
    without = without.replace(CREDENTIALS, '$1');
  }

  const pathOnly = path.replace(/^[a-z]+:\/\/[^/]*/i, '');
  if (pathOnly.match(SESSION_IN_PATH)) {
    secrets.push({ kind: 'path_token' });
    without = without.replace(pathOnly, () => pathOnly.replace(SESSION_IN_PATH, ''));
  } else if (hasJwt(pathOnly) || TOKEN_IN_PATH.test(pathOnly)) {
    secrets.push({ kind: 'path_token' });
    isNeeded = true;
  }

  const isSecretOfQuery = secretParameters(query);
  const inQuery = removeParameters(without, isSecretOfQuery);
  without = inQuery.url;
  secrets.push(...inQuery.names.map((name) => ({ kind: 'parameter' as const, name })));
  isNeeded ||= inQuery.names.some((name) => SIGNATURES.has(nameOf(name)));

  if (RESET_PATH.test(pathOnly) && (inQuery.names.length > 0 || hasRandomPart(pathOnly, query))) {
    if (inQuery.names.length === 0) secrets.push({ kind: 'reset_link' });
    isNeeded = true;
  }

  const inFragment = secretsOfFragment(url, fragment);
  secrets.push(...inFragment.secrets);
  isNeeded ||= inFragment.isNeeded;
  without = without.slice(0, without.length - fragment.length) + inFragment.without;

  if (secrets.length === 0) return undefined;
  return isNeeded ? { secrets } : { secrets, without };
}

/** Tests parameters by name and value; an OAuth code by the `state` next to it. */
function secretParameters(query: string) {
  const hasState = parametersOf(query).some(({ name, value }) => name === 'state' && value !== '');
  const isOAuth = parametersOf(query).some(
    ({ name, value }) => hasState && name === 'code' && looksRandom(value),
  );
  return (written: string, value: string): boolean => {
    const name = nameOf(written);
    if (hasJwt(value) || SERVICE_KEY.test(value) || EMAIL.test(value)) return true;
    if (PASSWORDS.has(name) && value !== '') return true;
    if (SURE_TOKENS.has(name) && value.length >= SURE_MIN_CHARACTERS) return true;
    if (isOAuth && (name === 'code' || name === 'state')) return true;
    return (TOKENS.has(name) || SIGNATURES.has(name)) && looksRandom(value);
  };
}

function secretsOfFragment(url: string, fragment: string) {
  // Ignore text fragments (`#:~:text=…`), which are words.
  const text = fragment.slice(1).replace(/:~:.*$/s, '');
  if (isFragmentKey(url, text)) {
    return { secrets: [{ kind: 'fragment_key' as const }], isNeeded: true, without: fragment };
  }
  const isRoute = /^!?\//.test(text);
  const query = isRoute ? (splitUrl(text).query ?? '') : text;
  const cut = removeParameters(isRoute ? text : `?${query}`, secretParameters(query));
  if (cut.names.length === 0) return { secrets: [], isNeeded: false, without: fragment };
  return {
    secrets: cut.names.map((name) => ({ kind: 'parameter' as const, name })),
    isNeeded: false,
    // The rest of an OAuth response is useless without its token.
    without: isRoute ? `#${cut.url}` : '',
  };
}

/**
 * Whether a fragment is the key of end-to-end encrypted content: Mega, Proton Drive, CryptPad,
 * Excalidraw, Bitwarden Send, Firefox Send and its successors, PrivateBin, and similar keys.
 *
 * Source: the format of the links that these services create.
 */
function isFragmentKey(url: string, fragment: string): boolean {
  if (fragment === '' || !URL.canParse(url)) return false;
  const { hostname, pathname, search } = new URL(url);
  if (/(^|\.)mega\.(nz|co\.nz|io|app)$/.test(hostname)) {
    return /^\/(file|folder|embed|collection)\//.test(pathname) || /^[FPEC]?!/.test(fragment);
  }
  if (hostname === 'drive.proton.me') return pathname.startsWith('/urls/');
  if (/^(room|json)=[\w-]+,[\w-]{16,}$/.test(fragment)) return true;
  if (/^\/?(send\/)?[\w-]{16,}\/[\w-]{16,}$/.test(fragment)) {
    return /(^|\.)bitwarden\.(com|eu)$/.test(hostname) || fragment.includes('send/');
  }
  if (/^\/[1-3]\/\w+\//.test(fragment)) return fragment.split('/').some(looksRandom);
  if (/^\?[\da-f]{16}$/.test(search)) return /^[\w+/=-]{32,}$/.test(fragment);
  if (/^\/download\/[\da-f]{8,}\/?$/.test(pathname)) return /^[\w-]{16,}$/.test(fragment);
  // Unlike a key, a heading consists of words, and block ids of editors are hexadecimal.
  const longest = fragment
    .split(/[-_]/)
    .reduce((one, other) => (other.length > one.length ? other : one));
  return (
    /^[\w-]{22,}={0,2}$/.test(fragment) &&
    longest.length >= 10 &&
    /\d/.test(longest) &&
    /[a-z]/.test(longest) &&
    /[A-Z]/.test(longest) &&
    switchesOf(longest) >= Math.max(5, longest.length / 4)
  );
}

/** Looks at each part between dots once: one pattern for all of them would begin anew at each `eyJ`. */
function hasJwt(text: string): boolean {
  const parts = text.split('.');
  return parts.some((part, index) => {
    const [payload, signature] = parts.slice(index + 1, index + 3);
    return signature !== undefined && JWT_PAYLOAD.test(payload ?? '') && endsWithJwtHeader(part);
  });
}

function endsWithJwtHeader(text: string): boolean {
  let start = text.length;
  while (start > 0 && BASE64URL_CHARACTER.test(text[start - 1] ?? '')) start--;
  const encoded = text.slice(start);
  const header = encoded.search(JWT_START);
  return header !== -1 && encoded.length - header >= JWT_HEADER_MIN_CHARACTERS;
}

function hasRandomPart(path: string, query: string): boolean {
  const texts = [...path.split('/'), ...parametersOf(query).map(({ value }) => value)];
  // A slug consists of words between dashes, often with a number at the end.
  return texts.some((text) => UUID.test(text) || text.split(/[-_.:]/).some(looksRandom));
}

/** Whether a value looks random: not a word, number, date or hexadecimal `0x…` account. */
function looksRandom(value: string): boolean {
  const text = value.replaceAll(' ', '+');
  return (
    text.length >= RANDOM_MIN_CHARACTERS &&
    /^[\w+/=.~:!-]+$/.test(text) &&
    !/^0x[\da-f]+$/i.test(text) &&
    /\d/.test(text) &&
    /[a-z]/i.test(text) &&
    switchesOf(text) >= 4
  );
}

/** How often lowercase, uppercase and digits alternate. In words they rarely do. */
function switchesOf(text: string): number {
  const kinds = text
    .replace(/[^a-z\d]/gi, '')
    .replace(/\d+/g, '0')
    .replace(/[a-z]+/g, 'a')
    .replace(/[A-Z]+/g, 'A');
  return Math.max(0, kinds.length - 1);
}

/** Normalizes `access_token` and `accessToken` to the same name: letters and digits only. */
function nameOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}
