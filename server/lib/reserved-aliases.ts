/**
 * First path segments that the server uses or may use, and `/api/links/export`. Those with a dot are
 * never valid aliases.
 */
export const RESERVED_ALIASES = ['api', 'assets', 'dashboard', 'export'];

/** @param alias also with a domain in front, as the store has it */
export function isReserved(alias: string): boolean {
  return RESERVED_ALIASES.includes(alias.slice(alias.lastIndexOf('/') + 1).toLowerCase());
}
