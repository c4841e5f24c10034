import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressOf, type ClientAddress } from '../../limits/client-address.ts';
import { isWorkingFor } from './connections.ts';

/** Kept free for connections that arrive at once. */
const FREE_SHARE = 0.1;
/** How many times as many connections as a /64 its /48 and its /56 may have before it loses one. */
const NETWORK_FACTORS = [30, 10];

/**
 * Closes connections before there are too many, so that nobody who sends requests slowly, or none, keeps others
 * out: first those of addresses and networks with the most of them, and of these the oldest. Those on whose
 * request the server works stay.
 */
export function keepConnectionsFree(server: Server): void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const free = Math.max(1, Math.floor(server.maxConnections * FREE_SHARE));
    if (open.size <= server.maxConnections - free) return;
    for (const each of mostExpendable([...open], free)) {
      open.delete(each);
      each.destroy();
    }
  });
}

/** @param sockets the oldest first */
function mostExpendable(sockets: Socket[], count: number): Socket[] {
  const younger = new Map<string, number>();
  const ranked: { socket: Socket; rank: number }[] = [];
  for (const socket of sockets.toReversed()) {
    if (isWorkingFor(socket)) continue;
    const holders = toHolders(addressOf(socket.remoteAddress ?? ''));
    // As many places as its holders would still have without it.
    const ranks = holders.map(({ key, factor }) => (younger.get(key) ?? 0) / factor);
    ranked.push({ socket, rank: Math.max(...ranks) });
    for (const { key } of holders) younger.set(key, (younger.get(key) ?? 0) + 1);
  }
  // Of equal ones, the oldest.
  const expendable = ranked.reverse().sort((a, b) => b.rank - a.rank);
  return expendable.slice(0, count).map(({ socket }) => socket);
}

function toHolders({ client, networks }: ClientAddress): { key: string; factor: number }[] {
  const wide = networks.map((key, index) => ({ key, factor: NETWORK_FACTORS[index] ?? 1 }));
  return [...wide, { key: client, factor: 1 }];
}
