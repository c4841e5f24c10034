import { ALIAS_PATTERN, PREVIOUS_ALIASES_MAX } from '../../../shared/limits.ts';
import { toStoredAlias } from '../../domains/short-address.ts';
import { type Domain, isUsableBy, type ShortDomains } from '../../domains/short-domains.ts';
import type { ImportedLink } from './imported-link.ts';

/** A link of a file, with the domain that it is going to be on. */
export type PlacedLink = ImportedLink & {
  place: Domain;
  /** As the store has it. Undefined if the link has none, or one that Curt does not allow. */
  storedAlias: string | undefined;
  /** The same on the domain that its file names, if the account cannot use that one. */
  unusableAlias: string | undefined;
};

export type PlacedRow = { row: number } & ({ link: PlacedLink } | { problem: string });

/** Instead of a previous alias that the account cannot have. */
export const UNUSABLE = '/';

/**
 * Places a link on the domain that its file names. A domain that the account cannot use is no reason to
 * lose the link: it gets one on that of `BASE_URL`, and the report says so.
 */
export function placeLink(
  link: ImportedLink,
  accountId: string,
  domains: ShortDomains,
): PlacedLink {
  const find = (name: string) => {
    const domain = domains.find(name);
    return domain && isUsableBy(domain, accountId) ? domain : undefined;
  };
  const named = link.domain === null ? domains.first : domains.find(link.domain);
  const isUsable = named !== undefined && isUsableBy(named, accountId);
  const place = isUsable ? named : domains.first;
  const toStored = (domain: Domain) =>
    ALIAS_PATTERN.test(link.alias) ? domains.qualify(domain, link.alias) : undefined;
  const toPrevious = (text: string) => {
    const slash = text.lastIndexOf('/');
    const isPlaceable = slash === -1 || find(text.slice(0, slash)) !== undefined;
    const isAlias = ALIAS_PATTERN.test(text.slice(slash + 1));
    return isPlaceable && isAlias ? toStoredAlias(text, place, domains) : UNUSABLE;
  };
  const notes = [...link.notes];
  if (!isUsable) {
    notes.unshift(
      `The account cannot use the domain "${link.domain}", so the link is on ${place.host}.`,
    );
  }
  if (link.previousAliases.length > PREVIOUS_ALIASES_MAX) {
    notes.push(`Only the first ${PREVIOUS_ALIASES_MAX} previous aliases are kept.`);
  }
  return {
    ...link,
    place,
    storedAlias: toStored(place),
    unusableAlias: named && !isUsable ? toStored(named) : undefined,
    previousAliases: link.previousAliases.slice(0, PREVIOUS_ALIASES_MAX).map(toPrevious),
    notes,
  };
}
