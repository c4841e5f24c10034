import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time.ts';

/** At most `max` events per key in a window, which starts with its first event. */
export type LimitOptions = {
  /** Unlike that of any other limit. */
  name: string;
  max: number;
  windowMs: number;
};

type LimitSettings = Record<'rateLimitPerMinute' | 'unknownPerMinute' | 'anonymousPerDay', number>;

const MEBIBYTE = 1024 * 1024;

/**
 * All limits of what a client does in a time: of which requests, whose key counts, and how many. Beyond it, a request
 * is a 429, unless something else is said.
 *
 * @see docs/settings.md, "Limits"
 */
export function limitTable({
  rateLimitPerMinute,
  unknownPerMinute,
  anonymousPerDay,
}: LimitSettings) {
  return {
    /** Requests that create links; of an account, or of an address without one. An address has ten times as many. */
    shorten: { max: rateLimitPerMinute, windowMs: MINUTE_MS },
    /** Anonymous accounts of an address. */
    'anonymous account': { max: anonymousPerDay, windowMs: DAY_MS },
    /** Bytes that edits of an account write: enough to pause 10,000 usual links and to resume them. An address has four times as many. */
    edit: { max: 16 * MEBIBYTE, windowMs: MINUTE_MS },
    /** Answers that somebody has an alias; of an account, or of an address without one. An address has ten times as many. */
    'alias answer': { max: unknownPerMinute, windowMs: HOUR_MS },
    /** The same of dry runs of imports, which are usually followed by the import. */
    'dry alias answer': { max: unknownPerMinute, windowMs: HOUR_MS },
    /** Visits of unknown aliases from an address. */
    unknown: { max: unknownPerMinute, windowMs: MINUTE_MS },
    /** Passwords that an address tries, right ones too. */
    password: { max: 30, windowMs: HOUR_MS },
    /** Wrong passwords of an address for a link. */
    'wrong password': { max: 5, windowMs: MINUTE_MS },
    /** Wrong passwords for a link from everywhere. */
    'wrong password of a link': { max: 100, windowMs: HOUR_MS },
    /** The same beyond that, of each IPv4 address or IPv6 /48: whoever has the right password still gets in at once. */
    'wrong password of a guarded link': { max: 1, windowMs: 10 * MINUTE_MS },
    /** Links that had as many wrong passwords as they can have: remembered, not refused. */
    'guessed link': { max: 1, windowMs: HOUR_MS },
    /** Wrong administrator's tokens of an address. */
    'wrong admin token': { max: 20, windowMs: MINUTE_MS },
    /** Sign-in codes that an address tries, as passwords of links. */
    'sign-in code': { max: 30, windowMs: HOUR_MS },
    /** Reports of an address. */
    report: { max: 10, windowMs: HOUR_MS },
    /** Reports from everywhere: many addresses must not fill the disk. */
    'all reports': { max: 1000, windowMs: HOUR_MS },
    /** Periods of public statistics that an address reads: the hours of 90 days 46 times, which takes half a second. */
    statistics: { max: 100_000, windowMs: MINUTE_MS },
  } as const satisfies Record<string, Omit<LimitOptions, 'name'>>;
}

export type LimitTable = ReturnType<typeof limitTable>;
export type LimitName = keyof LimitTable;
