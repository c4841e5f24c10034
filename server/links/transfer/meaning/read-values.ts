import { definitionOf, type PlainField } from '../../../../shared/links/fields.ts';
import { trimText } from '../../../../shared/text.ts';
import { type Read, readBoolean, splitList } from './cells.ts';

export function readText(value: unknown): Read<string> {
  return typeof value === 'string' ? { value: trimText(value) } : { problem: 'Must be a string.' };
}

export function readPlain(name: PlainField, value: unknown, isForeign: boolean): Read<unknown> {
  const { control } = definitionOf(name);
  if (control === 'number') {
    const number = typeof value === 'string' ? Number(trimText(value) || Number.NaN) : value;
    return typeof number === 'number' && !Number.isNaN(number)
      ? { value: number }
      : { problem: 'Must be a number.' };
  }
  if (control === 'switch') {
    const flag = readBoolean(value);
    return flag === undefined ? { problem: 'Must be yes or no.' } : { value: flag };
  }
  if (typeof value !== 'string') return { problem: 'Must be a string.' };
  return { value: isForeign ? trimText(value) : value };
}

export function readList(value: unknown, separator: string | undefined): Read<string[]> {
  if (typeof value === 'string') {
    const parts = listInCell(value) ?? (separator ? value.split(separator) : splitList(value));
    return { value: parts.map((part) => part.trim()).filter(Boolean) };
  }
  if (typeof value !== 'object' || value === null) return { problem: 'Must be a list.' };
  // Pocket's tags are the keys of an object.
  if (!Array.isArray(value)) return { value: Object.keys(value) };
  const names = value.map((item) => (typeof item === 'string' ? item : nameOf(item)));
  if (!names.every((name) => typeof name === 'string'))
    return { problem: 'Must be a list of texts.' };
  return { value: names };
}

const NAME_KEYS = ['name', 'title', 'label', 'tag', 'text', 'value'] as const;

function nameOf(item: unknown): unknown {
  const texts = (item ?? {}) as { [K in (typeof NAME_KEYS)[number]]?: unknown };
  const key = NAME_KEYS.find((each) => typeof texts[each] === 'string');
  return key && texts[key];
}

/** A list as JSON (`["a","b"]`), of PostgreSQL (`{a,"b c"}`), or with semicolons; undefined if it is none of these. */
function listInCell(cell: string): string[] | undefined {
  const text = trimText(cell);
  if (/^\[.*\]$/s.test(text)) {
    const read = readJson(text);
    const list =
      'value' in read && Array.isArray(read.value) ? readList(read.value, undefined) : read;
    if ('value' in list && Array.isArray(list.value)) return list.value;
  }
  if (/^\{.*\}$/s.test(text)) {
    const parts = text.slice(1, -1).match(/"(?:\\.|[^"\\])*"|[^,"]+/gs) ?? [];
    return parts.map((part) => part.replace(/^"|"$/g, '').replace(/\\(.)/gs, '$1'));
  }
  return text.includes(';') && !/[,|]/.test(text) ? text.split(';') : undefined;
}

export function readJson(value: unknown): Read<unknown> {
  if (typeof value !== 'string') return { value };
  try {
    return { value: JSON.parse(value) };
  } catch {
    return { problem: 'Must be JSON.' };
  }
}

export function noneIfZero(read: Read<number>): Read<number> {
  return 'value' in read && read.value === 0 ? { value: undefined } : read;
}
