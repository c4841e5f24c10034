/** How long, how many and how large things may be: bounds that the server and its clients share. See docs/settings.md. */

export const ORIGINAL_URL_MAX_CHARACTERS = 8192;
/** Serialized, as in `Location`: clients accept 16 KiB of headers, including all other headers. */
export const TARGET_URL_MAX_CHARACTERS = 15 * 1024;
/** All URLs of a link together, serialized: its target, those of its rules, `goneUrl` and the picture of its card. */
export const LINK_TARGETS_MAX_BYTES = 16 * 1024;
export const CUSTOM_ALIAS_MAX_CHARACTERS = 64;
export const ALIAS_PATTERN = new RegExp(`^[A-Za-z0-9_-]{1,${CUSTOM_ALIAS_MAX_CHARACTERS}}$`);
/** The host of a domain: 253 characters of the name, and the port. */
export const DOMAIN_MAX_CHARACTERS = 260;
/** An alias, or one with the host of its domain in front: `go.example/sale`. */
export const ADDRESS_PATTERN = new RegExp(
  `^([A-Za-z0-9.:[\\]_-]{1,${DOMAIN_MAX_CHARACTERS}}/)?[A-Za-z0-9_-]{1,${CUSTOM_ALIAS_MAX_CHARACTERS}}$`,
);
export const PASSWORD_MAX_CHARACTERS = 128;
export const TITLE_MAX_CHARACTERS = 300;
export const LABEL_MAX_CHARACTERS = 200;
export const DESCRIPTION_MAX_CHARACTERS = 2000;
export const WAIT_TIMER_MAX_SECONDS = 300;
export const CONTAINER_PATTERN = /^GTM-[A-Z0-9]{4,10}$/;
export const EXPIRY_MAX_YEARS = 100;

export const IDEMPOTENCY_KEY_MIN_CHARACTERS = 16;
export const IDEMPOTENCY_KEY_MAX_CHARACTERS = 255;
export const IDEMPOTENCY_WINDOW_MS = 24 * 60 * 60 * 1000;

export const BODY_MAX_BYTES = 64 * 1024;

export const TAGS_MAX = 10;
export const TAG_MAX_CHARACTERS = 40;
/** Different tags of an account, whatever their letter case. */
export const ACCOUNT_TAGS_MAX = 10_000;
/** Tags of an account, in their list. */
export const TAGS_LISTED_MAX = 1000;
/** Rules of a link that decide where a visit goes. */
export const RULES_MAX = 20;
/** The name, and the value, of a parameter that a rule asks for. */
export const QUERY_PART_MAX_CHARACTERS = 200;
/** Earlier aliases of a link, which still lead to it. */
export const PREVIOUS_ALIASES_MAX = 20;
/** How long a deleted link can be restored. */
export const RESTORABLE_MS = 30 * 24 * 60 * 60 * 1000;

/** What a visitor writes about a link, and how to reach them. */
export const REPORT_MAX_CHARACTERS = 1000;
export const CONTACT_MAX_CHARACTERS = 200;
export const LIST_LIMIT_MAX = 100;
export const LIST_LIMIT_DEFAULT = 50;
/** How far links are counted. */
export const LINKS_COUNTED_MAX = 10_000;
/** Days (UTC) of `visits30`, today included. */
export const VISITS_DAYS = 30;

export const BATCH_LINKS_MAX = 100;
export const BATCH_BODY_MAX_BYTES = 256 * 1024;
export const IMPORT_BODY_MAX_BYTES = 16 * 1024 * 1024;
/** Rows of one imported file, whatever becomes of them. */
export const IMPORT_ROWS_MAX = 10_000;

/** Tokens of an account. */
export const TOKENS_MAX = 50;
/**
 * Tokens of one name that single sign-on creates: a browser needs one for each tab of the dashboard. An
 * account can have so many more than `TOKENS_MAX`, so that its other tokens don't keep anybody out.
 */
export const SIGN_IN_TOKENS_MAX = 10;
export const TOKEN_NAME_MAX_CHARACTERS = 100;

export const ADMIN_TOKEN_MIN_CHARACTERS = 32;
export const ACCOUNT_NAME_MAX_CHARACTERS = 100;
/** Why an account is suspended, or a link, host or account blocked. */
export const REASON_MAX_CHARACTERS = 500;
/** What is blocked, a short link, a host or an ID: the longest host, with an alias. */
export const BLOCKED_VALUE_MAX_CHARACTERS = DOMAIN_MAX_CHARACTERS + 1 + CUSTOM_ALIAS_MAX_CHARACTERS;
export const MONTHLY_QUOTA_MAX = 1_000_000_000;
export const DOMAIN_ACCOUNTS_MAX = 1000;
export const BRAND_NAME_MAX_CHARACTERS = 40;
/** A logo as a data: URL. Every server has those of all domains in memory. */
export const DOMAIN_LOGO_MAX_CHARACTERS = 48 * 1024;
/** The file of such a logo: base64 has four characters for three bytes. */
export const DOMAIN_LOGO_MAX_BYTES = (DOMAIN_LOGO_MAX_CHARACTERS / 4) * 3;

/** Until a quota resets: a month, and what clocks differ. The time after a longer wait may be no date. */
export const WAIT_MAX_SECONDS = 32 * 24 * 60 * 60;
