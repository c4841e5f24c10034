import type { FastifyRequest } from 'fastify';
import type { ClientAddress } from './client-ip.ts';

/** Whether `X-Forwarded-For` arrives from where `TRUST_PROXY` does not name a proxy. */
export function hasIgnoredForwardedFor({ headers, ips }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined && (ips?.length ?? 1) <= 1;
}

/**
 * Recognizes a proxy that `TRUST_PROXY` does not name: it sends `X-Forwarded-For`, and no visitor
 * has ever come from another address. Anyone can send that header to a server that visitors reach
 * directly; there, the first visitor from elsewhere ends it.
 */
export class UnnamedProxy {
  #only: string | undefined;
  #isDirect = false;

  /** Is to see every visit. */
  watch({ client }: ClientAddress, hasIgnoredForwardedFor: boolean): void {
    if (client === this.#only || this.#isDirect) return;
    // Whoever runs the server may try it on the machine itself.
    if (isLoopback(client) && !hasIgnoredForwardedFor) return;
    if (this.#only === undefined) this.#only = client;
    else this.#isDirect = true;
  }

  /** Whether this request, like all others, comes through such a proxy. */
  brings(hasIgnoredForwardedFor: boolean): boolean {
    return !this.#isDirect && hasIgnoredForwardedFor;
  }
}

function isLoopback(client: string): boolean {
  return client.startsWith('127.') || client === '0:0:0:0/64';
}
