import type { LinkPosition } from '../../link.ts';

const ID_START = '{"id":"'.length;
const ALIAS_MEMBER = '","alias":"';
/** As the alias, an account's id contains nothing to escape. */
const ACCOUNT_MEMBER = '","accountId":"';
const CREATED_MEMBER = '"created":';
/** More than the digits of any number. */
const NUMBER_MAX_CHARACTERS = 25;

/**
 * A link's position, cut out of its JSON: parsing a million links would take seconds. The members'
 * names cannot occur inside a string, because quotes are escaped there.
 */
export function positionIn(text: string): LinkPosition {
  const id = text.slice(ID_START, text.indexOf(ALIAS_MEMBER));
  const created = text.indexOf(CREATED_MEMBER, ID_START + id.length) + CREATED_MEMBER.length;
  return {
    id: id.includes('\\') ? JSON.parse(`"${id}"`) : id,
    created: Number.parseFloat(text.slice(created, created + NUMBER_MAX_CHARACTERS)),
  };
}

/** The id of a link's account, cut out as well. */
export function accountIdIn(text: string): string {
  const start = text.indexOf(ACCOUNT_MEMBER) + ACCOUNT_MEMBER.length;
  return text.slice(start, text.indexOf('"', start));
}
