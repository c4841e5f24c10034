import { browser } from 'wxt/browser';
import { systemTime } from '../../shared/time.ts';
import type { CreatedLink, MessageKind, Payload, Reply, Result } from './protocol.ts';

/** Longer than all calls that the background may make for one message. */
const ANSWER_LIMIT_MS = 45_000;
/** Longer than the client waits for a file of all links. */
const FILE_ANSWER_LIMIT_MS = 6 * 60_000;
const ABOUT_FILES: readonly MessageKind[] = ['exportLinks', 'importLinks'];

/**
 * Sends a message to the background. Never throws: returns a failure if the worker cannot be reached
 * or does not respond. Repeats the message if the worker stopped before it responded, so handlers must
 * stand being asked twice: a request keeps its `Idempotency-Key`, an edit that finds its own values is done.
 */
export async function send<K extends MessageKind>(
  kind: K,
  payload: Payload<K>,
  { after } = systemTime,
): Promise<Reply<K>> {
  const limitMs = ABOUT_FILES.includes(kind) ? FILE_ANSWER_LIMIT_MS : ANSWER_LIMIT_MS;
  const timeout = Promise.withResolvers<Reply<K>>();
  const cancel = after(limitMs, () =>
    timeout.resolve({ ok: false, code: 'background_silent' } as Reply<K>),
  );
  try {
    return await Promise.race([sendTwice(kind, payload), timeout.promise]);
  } finally {
    cancel();
  }
}
export type Send = typeof send;

async function sendTwice<K extends MessageKind>(kind: K, payload: Payload<K>): Promise<Reply<K>> {
  return (
    (await sendOnce(kind, payload)) ??
    (await sendOnce(kind, payload)) ??
    ({ ok: false, code: 'extension_failed' } as Reply<K>)
  );
}

async function sendOnce<K extends MessageKind>(
  kind: K,
  payload: Payload<K>,
): Promise<Reply<K> | undefined> {
  try {
    return await browser.runtime.sendMessage({ kind, payload });
  } catch {
    return undefined;
  }
}

/** What the background tells all open pages. */
export type Broadcast =
  /** A link was created. */
  | { kind: 'linkCreated' }
  /** Another account of a server is in use, or none; or the data of all is erased. */
  | { kind: 'accountChanged'; serverOrigin: string | undefined }
  /** The queue has changed. */
  | { kind: 'queueChanged' }
  /** A queued request has succeeded, or failed for good. */
  | { kind: 'requestSettled'; id: string; answer: Result<CreatedLink> }
  /** The organization's policy has changed. */
  | { kind: 'policyChanged' };
export type BroadcastOf<K extends Broadcast['kind']> = Extract<Broadcast, { kind: K }>;

/** Calls back with each broadcast of a kind. @returns a function that stops it */
export function onBroadcast<K extends Broadcast['kind']>(
  kind: K,
  callback: (message: BroadcastOf<K>) => void,
): () => void {
  const onMessage = (message: { kind?: unknown } | undefined) => {
    if (message?.kind === kind) callback(message as BroadcastOf<K>);
    return undefined;
  };
  browser.runtime.onMessage.addListener(onMessage);
  return () => browser.runtime.onMessage.removeListener(onMessage);
}
