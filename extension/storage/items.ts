import { z } from 'zod';
import type { ShortenRequest } from '../../shared/shorten-request.ts';
import { COPY_FORMATS } from '../links/copy-format.ts';
import { linkSummarySchema } from '../links/link-schema.ts';
import type { FailureCode } from '../messaging/protocol.ts';
import { defineItem } from './define-item.ts';
import { defineListGroup } from './define-list-group.ts';

/*
 * All that the extension keeps. `local:` is on disk and outlives the browser; `session:` is in
 * memory and ends with it. Only the background reads and writes here. Nothing that comes from a
 * private window may stand in a `local:` item.
 */

/**
 * - `queued`: it is certain that there is no link yet;
 * - `sending`: a call is under way, or was when the worker was stopped;
 * - `indeterminate`: a call has ended without a clear answer, and may have made the link;
 * - `done`: the link was given, but there was no room to save it. Asked for again, it is the same.
 *
 * One that has failed, or whose link is saved, is removed.
 */
const REQUEST_STATUSES = ['queued', 'sending', 'indeterminate', 'done'] as const;

const pendingRequestSchema = z.object({
  status: z.enum(REQUEST_STATUSES).default('queued'),
  origin: z.string(),
  /** Sent again exactly so, or the server would take it for another wish. */
  request: z.custom<ShortenRequest>((value) => typeof value === 'object' && value !== null),
  isPrivate: z.boolean(),
  title: z.string().optional(),
  requestId: z.string().optional(),
  /** When the user last asked for it. */
  requestedAtMs: z.number(),
  /** The call that may have made the link; absent while `queued`. */
  call: z
    .object({
      idempotencyKey: z.string(),
      /** Its credentials; absent when it was anonymous. */
      token: z.string().optional(),
      startedAtMs: z.number(),
    })
    .optional(),
  /** Why the last attempt ended without a link; absent until one has. */
  failure: z.custom<FailureCode>((value) => typeof value === 'string').optional(),
  /** Attempts that failed when they were due. */
  attempts: z.number(),
  retryAtMs: z.number(),
  /** When it is given up, while it is certain that no link was made. */
  retryUntilMs: z.number(),
});
export type PendingRequest = z.output<typeof pendingRequestSchema>;

const previousTokenSchema = z.object({
  token: z.string(),
  /** ISO 8601, UTC. */
  replacedAt: z.string(),
});
export type PreviousToken = z.output<typeof previousTokenSchema>;

/** What the user chose; what they left alone follows the build's defaults. */
export const storedSettings = defineItem('local:settings', {
  version: 1,
  fallback: {},
  schema: z.object({
    serverOrigin: z.url().optional().catch(undefined),
    shortenAtOnce: z.boolean().optional().catch(undefined),
    skipPopup: z.boolean().optional().catch(undefined),
    copyAtOnce: z.boolean().optional().catch(undefined),
    copyFormat: z.enum(COPY_FORMATS).optional().catch(undefined),
    stripTracking: z.boolean().optional().catch(undefined),
    warnAboutSecrets: z.boolean().optional().catch(undefined),
    preferCanonical: z.boolean().optional().catch(undefined),
  }),
});

/** Whether the user has been told that a localhost server's links work on this computer only. */
export const loopbackNoticeShown = defineItem('local:loopbackNoticeShown', {
  version: 1,
  fallback: false,
  schema: z.boolean(),
});

/** Account tokens by the origin that issued them. */
export const accountTokens = defineItem('local:accountTokens', {
  version: 1,
  fallback: {},
  schema: recordOf(z.string()),
});
/** Tokens that the user has replaced by others, newest first, by origin: accounts with links. */
export const previousTokens = defineItem('local:previousTokens', {
  version: 1,
  fallback: {},
  schema: recordOf(z.array(previousTokenSchema)),
});
/** Issued, but not on the disk yet: at most a moment, or until there is room. */
export const unsavedTokens = defineItem('session:unsavedTokens', {
  version: 1,
  fallback: {},
  schema: recordOf(z.string()),
});
export const privateTokens = defineItem('session:privateTokens', {
  version: 1,
  fallback: {},
  schema: recordOf(z.string()),
});

/** The links made for an address, newest first, by the server's origin, a space and the address. */
export const savedLinks = defineListGroup('local:links', {
  version: 1,
  schema: linkSummarySchema,
});
export const privateLinks = defineListGroup('session:links', {
  version: 1,
  schema: linkSummarySchema,
});

/** Bytes that `savedLinks` take; null until they have been counted since the browser started. */
export const savedLinksBytes = defineItem('session:savedLinksBytes', {
  version: 1,
  fallback: null,
  schema: z.number().nullable(),
});

/** How many of the oldest links were dropped to make room. */
export const droppedLinksCount = defineItem('local:droppedLinksCount', {
  version: 1,
  fallback: 0,
  schema: z.number(),
});

/** Wishes whose answer is not in, by wish id: from before the first call until the link is kept. */
export const pendingRequests = defineItem('local:pendingRequests', {
  version: 1,
  fallback: {},
  schema: recordOf(pendingRequestSchema),
});
/** The same of private windows, and those for which there is no room on the disk. */
export const sessionRequests = defineItem('session:pendingRequests', {
  version: 1,
  fallback: {},
  schema: recordOf(pendingRequestSchema),
});

/** Links of the newest asks, so that one whose answer got lost on its way finds it again. */
export const completedRequests = defineItem('session:completedRequests', {
  version: 1,
  fallback: [],
  schema: z.array(z.object({ requestId: z.string(), link: linkSummarySchema })),
});

/** What a click on a notification copies, by the notification's id. */
export const copiesOffered = defineItem('session:copiesOffered', {
  version: 1,
  fallback: {},
  schema: recordOf(z.string()),
});

/** What waits for its user's word: at most one, since a notification asks for it. */
export const pendingConfirmation = defineItem('session:pendingConfirmation', {
  version: 1,
  fallback: null,
  schema: z
    .object({ id: z.string(), url: z.string(), title: z.string(), isPrivate: z.boolean() })
    .nullable(),
});

/** Origins that have said they are Curt since the browser started, with their version. */
export const knownServers = defineItem('session:knownServers', {
  version: 1,
  fallback: {},
  schema: recordOf(z.string()),
});

/** Those in which something may stand that cannot be read, and that a person may want back. */
export const localItems = [
  storedSettings,
  accountTokens,
  previousTokens,
  loopbackNoticeShown,
  droppedLinksCount,
  pendingRequests,
] as const;

/** A record in which one entry that does not parse does not cost the others. */
function recordOf<T>(entry: z.ZodType<T>): z.ZodType<Record<string, T>> {
  return z.record(z.string(), z.unknown()).transform((record) => {
    const good: Record<string, T> = {};
    for (const [key, value] of Object.entries(record)) {
      const parsed = entry.safeParse(value);
      if (parsed.success) good[key] = parsed.data;
    }
    return good;
  });
}
