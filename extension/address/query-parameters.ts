/** An address without some of its parameters, and the names of those that went. */
export type ParameterRemoval = { address: string; names: string[] };

/**
 * Takes parameters out of an address's query. What stays is the same byte for byte: order, encoding
 * and fragment, which a parser that writes the query anew would change.
 *
 * @param isCut is given name and value decoded
 */
export function removeParameters(
  address: string,
  isCut: (name: string, value: string) => boolean,
): ParameterRemoval {
  const { path, query, fragment } = splitAddress(address);
  const names: string[] = [];
  const remaining = query?.split('&').filter((part) => {
    const { name, value } = readParameter(part);
    if (part === '' || !isCut(name, value)) return true;
    names.push(name);
    return false;
  });
  if (names.length === 0 || !remaining) return { address, names: [] };
  return {
    address: path + (remaining.length > 0 ? `?${remaining.join('&')}` : '') + fragment,
    names,
  };
}

/** All parameters of a query, decoded. */
export function parametersOf(query: string): { name: string; value: string }[] {
  return query.split('&').filter(Boolean).map(readParameter);
}

/** The parts that make an address when put together again; the query comes without its `?`. */
export function splitAddress(address: string) {
  const [, path = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? [];
  return { path, query, fragment };
}

function readParameter(part: string) {
  const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
  return { name: decode(name), value: decode(value) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
