import { z } from 'zod';
import { linkRecordSchema } from '../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../shared/links/shorten-request.ts';
import { formDraftSchema } from '../links/form-schema.ts';
import type { SavedLink } from '../links/link.ts';
import type { FailureCode, SettingsChange } from '../messaging/protocol.ts';
import { settingsSchema } from '../messaging/settings-schema.ts';
import { defineItem, type Item, type ItemKey, runStorageExclusive } from './define-item.ts';
import { storedAreas } from './stored-area.ts';

/*
 * Everything that the extension stores. `local:` items are on disk; `session:` items are in memory
 * until the browser closes. Only the background reads and writes them. No data from a private window
 * may be stored in a `local:` item.
 */

/**
 * - `queued`: no link has been created yet;
 * - `sending`: a call is in progress, or was when the worker stopped;
 * - `indeterminate`: a call ended without a clear response and may have created the link;
 * - `done`: the link was returned, but storage was too full to save it. Repeating the request returns
 *   the same link.
 *
 * A request is removed once it has failed for valid or its link is saved.
 */
const REQUEST_STATUSES = ['queued', 'sending', 'indeterminate', 'done'] as const;

const pendingRequestSchema = z.object({
  status: z.enum(REQUEST_STATUSES).default('queued'),
  origin: z.string(),
  /** Must be repeated unchanged: the server compares it with the first request of its key. */
  request: z.custom<ShortenRequest>((value) => typeof value === 'object' && value !== null),
  isPrivate: z.boolean(),
  requestId: z.string().optional(),
  /** Whether the user discarded it. It is never sent again, and stays until the list can leave out its link. */
  isDiscarded: z.literal(true).optional(),
  /** When the user last requested it. */
  requestedAtMs: z.number(),
  /** The call that may have created the link; absent while `queued`. */
  call: z
    .object({
      idempotencyKey: z.string(),
      /** Absent if the call was anonymous. */
      token: z.string().optional(),
      startedAtMs: z.number(),
    })
    .optional(),
  /** Why the last attempt failed; absent before that. */
  failure: z.custom<FailureCode>((value) => typeof value === 'string').optional(),
  /** Failed attempts, not counting early ones. */
  attempts: z.number(),
  retryAtMs: z.number(),
  /** When to give up, as long as no call may have created the link. */
  retryUntilMs: z.number(),
});
export type PendingRequest = z.output<typeof pendingRequestSchema>;

const previousTokenSchema = z.object({
  token: z.string(),
  /** ISO 8601, UTC. */
  replacedAt: z.string(),
});
export type PreviousToken = z.output<typeof previousTokenSchema>;

/** Each by itself: one that does not parse leaves the others. */
function storedSettingsSchema(): z.ZodType<SettingsChange> {
  const fields = Object.entries(settingsSchema.shape).map(([name, schema]) => [
    name,
    (schema as z.ZodType).optional().catch(undefined),
  ]);
  return z.object(Object.fromEntries(fields)) as z.ZodType<SettingsChange>;
}

/** The settings that the user changed. The others follow the build's defaults. */
export const storedSettings = defineItem('local:settings', {
  fallback: {},
  schema: storedSettingsSchema,
});

/** Whether the notice that a localhost server's links work on this computer only has been shown. */
export const loopbackNoticeShown = defineItem('local:loopbackNoticeShown', {
  fallback: false,
  schema: () => z.boolean(),
});

/** Account tokens by the origin that issued them. */
export const accountTokens = defineRecord('local:accountTokens', z.string());
/** Tokens that the user replaced, newest first, by origin. Their accounts may have links. */
export const previousTokens = defineRecord('local:previousTokens', z.array(previousTokenSchema));
/** Issued tokens that are not on disk yet, usually because storage is full. */
export const unsavedTokens = defineRecord('session:unsavedTokens', z.string());
export const privateTokens = defineRecord('session:privateTokens', z.string());

const savedLinkSchema: z.ZodType<SavedLink> = z.object({
  ...linkRecordSchema.shape,
  serverOrigin: z.string(),
  requestedUrl: z.string(),
});
const savedListSchema = listOf(savedLinkSchema);

/** The newest links of each server by origin, newest first. */
export const savedLinks = defineRecord('local:savedLinks', savedListSchema);
export const privateLinks = defineRecord('session:savedLinks', savedListSchema);

/**
 * IDs of links that private windows created in other windows' accounts, by origin. The list leaves them out,
 * also after a token is used again. An ID is random and says nothing about the link.
 */
export const hiddenLinkIds = defineRecord('local:hiddenLinkIds', z.array(z.string()));

/** Pending requests by id, from before the first call until the link is saved. */
export const pendingRequests = defineRecord('local:pendingRequests', pendingRequestSchema);
/** Pending requests of private windows, and those that did not fit on disk. */
export const sessionRequests = defineRecord('session:pendingRequests', pendingRequestSchema);

/** Whether the user has been told that no queued request is sent, because the disk can't be written. */
export const unsavedNoticeShown = defineItem('session:unsavedNoticeShown', {
  fallback: false,
  schema: () => z.boolean(),
});

/** Links of the latest requests, in case a message is repeated because its response got lost. */
export const completedRequests = defineItem('session:completedRequests', {
  fallback: [],
  schema: () =>
    z.array(
      z.object({
        requestId: z.string(),
        link: linkRecordSchema,
        isExisting: z.literal(true).optional(),
      }),
    ),
});

/** The text that a click on a notification copies, by notification id. */
export const copiesOffered = defineRecord('session:copiesOffered', z.string());

/** The URL that a notification asks the user to confirm. There is one at a time. */
export const pendingConfirmation = defineItem('session:pendingConfirmation', {
  fallback: null,
  schema: () =>
    z
      .object({ id: z.string(), url: z.string(), title: z.string(), isPrivate: z.boolean() })
      .nullable(),
});

/** Half-written forms by tab id. Never with a password. */
export const formDrafts = defineRecord(
  'session:formDrafts',
  z.object({ url: z.string(), draft: formDraftSchema }),
);

/** The domains that accounts can use, and the one of new links, by origin. Only where there are several. */
export const accountDomains = defineRecord(
  'local:accountDomains',
  z.object({
    domains: z.array(z.object({ host: z.string(), displayHost: z.string() })),
    chosen: z.string().optional(),
  }),
);

/** The ID of each server by origin, which tells it at another address. */
export const serverIds = defineRecord('local:serverIds', z.string());

/** Origins verified as Curt servers since the browser started. */
export const knownServers = defineRecord(
  'session:knownServers',
  z.object({ hasDomains: z.boolean(), serverId: z.string().optional() }),
);

/** The items to check for unreadable values, which the user may want to download. */
export const localItems = [
  storedSettings,
  accountTokens,
  previousTokens,
  loopbackNoticeShown,
  savedLinks,
  hiddenLinkIds,
  accountDomains,
  serverIds,
  pendingRequests,
] as const;

type RecordItem<T> = Item<Record<string, T>> & {
  /** @param isMeant tells whether the entry is still the one to delete. @default any entry is */
  deleteEntry(name: string, isMeant?: (entry: T) => boolean): Promise<void>;
};

/** An item with a record, empty at first. */
function defineRecord<T>(key: ItemKey, entry: z.ZodType<T>): RecordItem<T> {
  const item = defineItem(key, { fallback: {}, schema: () => recordOf(entry) });
  return {
    ...item,
    async deleteEntry(name, isMeant = () => true) {
      await item.update((all) => {
        const { [name]: found, ...others } = all;
        return found !== undefined && isMeant(found) ? others : all;
      });
    },
  };
}

/** A record that skips entries that do not parse. */
function recordOf<T>(entry: z.ZodType<T>): z.ZodType<Record<string, T>> {
  return z.record(z.string(), z.unknown()).transform((record) => {
    const valid = Object.entries(record).flatMap(([key, value]) => {
      const parsed = entry.safeParse(value);
      return parsed.success ? [[key, parsed.data] as const] : [];
    });
    return Object.fromEntries(valid);
  });
}

/** A list that skips entries that do not parse. */
function listOf<T>(entry: z.ZodType<T>): z.ZodType<T[]> {
  return z
    .array(z.unknown())
    .transform((list) => list.map((one) => entry.safeParse(one)).flatMap(({ data }) => data ?? []));
}

let eraseCount = 0;

/**
 * Lets a call in progress detect that the data has been erased. Not stored: a call does not survive
 * its worker.
 *
 * @returns a function that tells whether the data has been erased since
 */
export function watchErasing(): () => boolean {
  const before = eraseCount;
  return () => eraseCount !== before;
}

/** Deletes everything except the settings. */
export async function eraseStorage(): Promise<void> {
  // Before waiting for other writes, so that calls in progress stop saving immediately.
  eraseCount += 1;
  await runStorageExclusive(async () => {
    const settings = storedSettings.key.replace('local:', '');
    await storedAreas.local.remove((key) => key !== settings && key !== `${settings}$`);
    await storedAreas.session.remove(() => true);
  });
}
