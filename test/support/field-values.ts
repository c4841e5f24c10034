import { definitionOf, type FieldsWith, type PlainField } from '../../shared/links/plain-fields.ts';

/** Two values of each of these fields. */
const CODES: { [K in FieldsWith<{ control: 'code' }>]: [string, string] } = {
  customGtmId: ['GTM-ABC123', 'GTM-ABC1234'],
};

/** A value of a field that is not its default, and another one that begins with it if it is a text. */
export function valuesOf(name: PlainField): [one: unknown, other: unknown] {
  const definition = definitionOf(name);
  const { control } = definition;
  if (control === 'switch') return [true, false];
  if (definition.control === 'number') return [definition.min + 1, definition.max];
  if (control === 'tags') return [[`A ${name}`], [`A ${name}`, 'more']];
  return control === 'code'
    ? CODES[name as keyof typeof CODES]
    : [`A "${name}" \\%_ü`, `A "${name}" \\%_ü2`];
}

/** Values that no link can have, each just outside of what its field allows. */
export function invalidValuesOf(name: PlainField): unknown[] {
  const definition = definitionOf(name);
  const { control } = definition;
  if (control === 'number') {
    const { min, max, isWhole } = definition;
    return [min - 1, max + 1, ...(isWhole ? [min + 0.5] : [])];
  }
  if (control === 'line' || control === 'text')
    return ['x'.repeat(definition.maxCharacters + 1), 'bell \u0007'];
  if (control === 'tags') return [['']];
  return control === 'switch' ? ['perhaps'] : ['not the code'];
}
