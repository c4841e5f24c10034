import fc from 'fast-check';
import { anyCursor, anyJson, anyJsonLike, anyText } from './any-value.ts';
import type { Operation } from './operations.ts';

type AnyRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload?: string;
};

/**
 * A request for an operation, with anything in its parameters.
 *
 * @param names aliases and IDs that exist
 */
export function anyRequestFor(operation: Operation, names: string[]): fc.Arbitrary<AnyRequest> {
  const { method } = operation;
  const known = fc.constantFrom(...names);
  const parts = fc.record({
    url: anyPath(operation, known),
    query: anyQuery(operation, known),
    headers: anyHeaders(operation),
    payload: anyBody(operation, known),
    type: fc.constantFrom(...(operation.types.length > 0 ? operation.types : [undefined])),
  });
  return parts.map(({ url, query, headers, payload, type }) => ({
    method,
    url: query === '' ? url : `${url}?${query}`,
    headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
    ...(type !== undefined && { payload }),
  }));
}

function anyPath({ path, params }: Operation, known: fc.Arbitrary<string>): fc.Arbitrary<string> {
  // Not even percent-encoded.
  const raw = fc.constantFrom('%', '%ff', '%00', '%2f', '%C0%80');
  // No URL has these.
  const segment = anyText.filter((text) => !/^\.{1,2}$/.test(text));
  const parts = path.split(/(\{\w+\})/).map((part) => {
    if (!part.startsWith('{')) return fc.constant(part);
    const values = params[part.slice(1, -1)] ?? [];
    const valid = values.length > 0 ? fc.constantFrom(...values) : known;
    return fc.oneof({ weight: 3, arbitrary: valid }, segment.map(encode), raw);
  });
  return fc.tuple(...parts).map((texts) => texts.join(''));
}

function anyQuery({ query }: Operation, known: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const pairs = query.map(({ name, values }) => {
    const valid = values.length > 0 ? fc.constantFrom(...values) : known;
    return fc.tuple(fc.constant(name), fc.oneof(valid, name === 'cursor' ? anyCursor : anyText));
  });
  const undeclared = { weight: 1, arbitrary: fc.tuple(anyText, anyText) };
  const pair = fc.oneof(...pairs.map((arbitrary) => ({ weight: 3, arbitrary })), undeclared);
  return fc.array(pair, { maxLength: 2 }).map(toForm);
}

/** Headers of the operation, and those that the server reads of every request. */
function anyHeaders({ headers }: Operation): fc.Arbitrary<Record<string, string>> {
  const name = fc.constantFrom(
    ...[...headers, ...headers],
    ...['Accept', 'Accept-Language', 'Forwarded', 'X-Forwarded-For', 'Origin', 'Cookie'],
  );
  // Node.js rejects others.
  const text = anyText.map((any) => any.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim());
  return fc.dictionary(name, fc.oneof(fc.uuid(), text), { maxKeys: 1 });
}

function anyBody(operation: Operation, known: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const { types, examples, fields, path } = operation;
  if (types.includes('application/x-www-form-urlencoded')) {
    const name = fc.oneof(fc.constantFrom(...fields), anyText);
    return fc
      .array(fc.tuple(name, fc.oneof(anyText, known, fc.uuid())), { maxLength: 3 })
      .map(toForm);
  }
  const toText = (value: unknown) => JSON.stringify(value);
  if (examples.length === 0) return fc.oneof(anyText, anyJson.map(toText));
  if (fields.length === 0) throw new Error(`the fields of the body of ${path} are not known`);
  const valid = fc.constantFrom(...examples);
  const similar = valid.chain((example) => anyJsonLike(example, fields, known));
  return fc.oneof({ weight: 8, arbitrary: similar }, anyJson).map(toText);
}

function toForm(pairs: [name: string, value: string][]): string {
  return pairs.map((pair) => pair.map(encode).join('=')).join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
