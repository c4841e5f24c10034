import type { CreateDocumentOptions } from 'zod-openapi';

type Override = NonNullable<CreateDocumentOptions['override']>;
type JsonSchema = Parameters<Override>[0]['jsonSchema'];

/**
 * Of responses, a client must accept what a later version adds: further fields, and further values where
 * there are several. Requests stay closed, since the server rejects what it does not know.
 *
 * Schemas are written as generators of clients read them: integers without the bounds of JavaScript's, and
 * patterns that are no literals of JavaScript.
 */
export const openSchema: Override = ({ jsonSchema, io }) => {
  const { minimum, maximum, pattern } = jsonSchema;
  if (minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (pattern !== undefined) jsonSchema.pattern = pattern.replaceAll('\\/', '/');
  if (jsonSchema.type === 'number' && Number.isInteger(jsonSchema.const)) {
    jsonSchema.type = 'integer';
  }
  if (io === 'input') return;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.enum) {
    Object.assign(jsonSchema, oneOfOrOther(jsonSchema.enum));
    delete jsonSchema.enum;
    delete jsonSchema.type;
  }
};

/** One of these texts, or one of a later version. */
export function oneOfOrOther(values: NonNullable<JsonSchema['enum']>) {
  return { anyOf: [{ type: 'string' as const, enum: values }, { type: 'string' as const }] };
}
