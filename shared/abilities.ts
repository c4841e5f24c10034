import type { Result } from './client.ts';
import type { HealthResponse } from './health.ts';

/** What a server can do for links, which decides what forms offer. */
export type Abilities = {
  /** Whether it knows from which country a visit comes. */
  hasCountries: boolean;
  /** Whether links can have Tag Manager containers. */
  hasContainers: boolean;
};

export const NO_ABILITIES: Abilities = { hasCountries: false, hasContainers: false };

export function abilitiesOf(
  health: Pick<Extract<Result<HealthResponse>, { ok: true }>, 'ok' | 'data'> | { ok: false },
): Abilities {
  if (!health.ok) return NO_ABILITIES;
  const { hasCountries = false, hasContainers = false } = health.data;
  return { hasCountries, hasContainers };
}
