import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { systemTime, type Time } from '../../../shared/time.ts';
import type { Caller } from '../../accounts/caller.ts';
import { busy } from '../../lib/service-error.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { clientAddress } from '../../limits/client-address.ts';
import { Shares } from '../../limits/shares.ts';

/** A response up to here is always sent: one for each connection does not fill the memory. */
const SMALL_BYTES = 64 * 1024;
/** The limit of all responses together, until their clients have read them. */
const UNREAD_MAX_BYTES = 64 * 1024 * 1024;
/** The limit of the responses of one client, network or account. */
const SHARE_BYTES = UNREAD_MAX_BYTES / 4;
/** What a stream holds: a page of links, and two parts of its text. */
const STREAM_BYTES = 1.25 * 1024 * 1024;
const PART_BYTES = 64 * 1024;
/** A response, or a part of a stream, has to be read at this rate, and has this time besides. */
const READ_BYTES_PER_MS = 4;
/** What operating systems buffer at both ends hides for minutes that a slow client reads. */
const READ_GRACE_MS = 5 * MINUTE_MS;
/** They describe the response that is not sent. */
const CONTENT_HEADERS = ['content-type', 'content-disposition', 'content-language', 'etag'];

/**
 * Limits the memory for responses that wait for their clients to read them. Beyond it, a response is `busy`.
 * Files that are in memory anyway, as `Buffer`s, don't count.
 *
 * @see docs/settings.md
 */
export const unreadResponses = fp(
  async (app: FastifyInstance, { time = systemTime }: { time?: Time }) => {
    const shares = new Shares({ total: UNREAD_MAX_BYTES, share: SHARE_BYTES });
    const room = { shares, time };

    app.addHook('onSend', (request, reply, payload, done) => {
      if (payload instanceof Readable) {
        if (!hold(room, request, reply, STREAM_BYTES, PART_BYTES)) {
          payload.destroy();
          return done(tooManyUnread(reply));
        }
      } else if (typeof payload === 'string' && payload.length > SMALL_BYTES) {
        if (!hold(room, request, reply, Buffer.byteLength(payload))) {
          return done(tooManyUnread(reply));
        }
      }
      done(null, payload);
    });
  },
);

/** @param partBytes so much is read at once. @returns whether there is room for the response */
function hold(
  { shares, time }: { shares: Shares; time: Time },
  request: FastifyRequest,
  { raw }: FastifyReply,
  bytes: number,
  partBytes = bytes,
): boolean {
  // Nobody is left to read it.
  if (raw.destroyed) return true;
  const giveBack = shares.take(holdersOf(request), bytes, () => disconnect(raw));
  if (!giveBack) return false;
  const readWithinMs = READ_GRACE_MS + partBytes / READ_BYTES_PER_MS;
  const startTimer = () => time.after(readWithinMs, () => disconnect(raw));
  let cancel = startTimer();
  // A stream goes on when the client has read what there was.
  if (partBytes < bytes) {
    raw.on('drain', () => {
      cancel();
      cancel = startTimer();
    });
  }
  // Once the operating system has the rest.
  raw.once('close', () => {
    cancel();
    giveBack();
  });
  return true;
}

/** Returns whose memory a request takes: of an address, its networks, and an account. */
export function holdersOf(request: FastifyRequest): string[] {
  const { client, networks } = clientAddress(request);
  // Not set for pages of visitors.
  const caller: Caller | undefined = request.caller;
  return [client, ...networks, ...(caller?.kind === 'account' ? [caller.account.id] : [])];
}

/** Closes the connection without an error, since clients close it just as often. */
function disconnect({ socket }: ServerResponse): void {
  socket?.destroy();
}

function tooManyUnread(reply: FastifyReply) {
  for (const name of CONTENT_HEADERS) reply.removeHeader(name);
  return busy('Too many responses wait to be read. Read the others first, or try again shortly.');
}
