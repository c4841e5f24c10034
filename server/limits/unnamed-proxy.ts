import type { FastifyRequest } from 'fastify';
import type { ClientAddress } from './client-ip.ts';

/** Whether `X-Forwarded-For` comes from an address that is not in `TRUST_PROXY`. */
export function hasUntrustedForwardedFor({ headers, ips }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined && (ips?.length ?? 1) <= 1;
}

/**
 * Detects a proxy that is missing in `TRUST_PROXY`: it sends `X-Forwarded-For`, and all visitors have
 * the same address. Anyone can send this header to a server without a proxy; there, the first visitor
 * with another address disproves it.
 */
export class UnnamedProxy {
  #only: string | undefined;
  #isDirect = false;

  /** Must be called for every visit. */
  observe({ client }: ClientAddress, hasUntrustedForwardedFor: boolean): void {
    if (client === this.#only || this.#isDirect) return;
    // The operator may test the server on the machine itself.
    if (isLoopback(client) && !hasUntrustedForwardedFor) return;
    if (this.#only === undefined) this.#only = client;
    else this.#isDirect = true;
  }

  /** Whether this request, like all others, comes from such a proxy. */
  forwards(hasUntrustedForwardedFor: boolean): boolean {
    return !this.#isDirect && hasUntrustedForwardedFor;
  }
}

function isLoopback(client: string): boolean {
  return client.startsWith('127.') || client === '0:0:0:0/64';
}
