import { config } from 'zod';
import type { ClientOptions } from '../../../shared/client/transport.ts';
import { type Client, createClient } from '../../../shared/client.ts';

/** In a chunk of its own, since zod is larger than the rest of the dashboard. */
export function newClient(options: ClientOptions): Client {
  // The content security policy forbids the compiler of zod, which would even be reported.
  config({ jitless: true });
  return createClient(options);
}
