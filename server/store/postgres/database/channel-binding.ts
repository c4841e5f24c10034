import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type pg from 'pg';

/** The part of the driver's connection that sees each message of the server first. */
type Connection = EventEmitter & { stream: Duplex };

const MECHANISM = 'SCRAM-SHA-256-PLUS';

/**
 * Makes a client give up a server that does not prove that it knows the password and that nobody is in
 * between: before anything that depends on the password is sent. As `channel_binding=require` of libpq.
 */
export function requireChannelBinding(client: pg.Client): void {
  const { connection } = client as unknown as { connection: Connection };
  let isBound = false;
  const giveUp = () =>
    connection.stream.destroy(
      new Error('it does not offer channel binding, which channel_binding=require demands'),
    );
  connection.on('authenticationSASL', ({ mechanisms }: { mechanisms: string[] }) => {
    if (!mechanisms.includes(MECHANISM)) giveUp();
  });
  connection.on('authenticationSASLFinal', () => {
    isBound = true;
  });
  connection.on('authenticationCleartextPassword', giveUp);
  connection.on('authenticationMD5Password', giveUp);
  connection.on('authenticationOk', () => {
    if (!isBound) giveUp();
  });
}
