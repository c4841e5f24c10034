import { decodePercent } from '../decode-encoded.ts';

/** A URL without some of its parameters, and the names of the removed ones. */
export type ParameterRemoval = { url: string; names: string[] };

/**
 * Removes parameters from a URL's query. The rest stays unchanged byte for byte, including order and
 * encoding, which `URLSearchParams` would change.
 *
 * @param shouldRemove is called with the decoded name and value
 */
export function removeParameters(
  url: string,
  shouldRemove: (name: string, value: string) => boolean,
): ParameterRemoval {
  const { path, query, fragment } = splitUrl(url);
  const names: string[] = [];
  const remaining = query?.split('&').filter((part) => {
    const { name, value } = readParameter(part);
    if (part === '' || !shouldRemove(name, value)) return true;
    names.push(name);
    return false;
  });
  if (names.length === 0 || !remaining) return { url, names: [] };
  return {
    url: path + (remaining.length > 0 ? `?${remaining.join('&')}` : '') + fragment,
    names,
  };
}

/** Returns the parameters of a query, decoded. */
export function parametersOf(query: string): { name: string; value: string }[] {
  return query.split('&').filter(Boolean).map(readParameter);
}

/** Splits a URL into its parts. The query has no leading `?`. */
export function splitUrl(url: string) {
  const [, path = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  return { path, query, fragment };
}

function readParameter(part: string) {
  const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
  return { name: decode(name), value: decode(value) };
}

function decode(text: string): string {
  return decodePercent(text.replaceAll('+', ' '), text);
}
