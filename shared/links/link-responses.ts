import { z } from 'zod';
import { addressField, domainParameter, envelope, flag, nameOf } from '../schemas.ts';
import { linkRecordSchema } from './link-record.ts';

/** The 200 of requests that return one link. */
export const linkResponseSchema = envelope(linkRecordSchema);

/** The 200 of `DELETE /api/links/:alias`. */
export const deletedLinkResponseSchema = envelope(
  linkRecordSchema.nullable().describe('The deleted link, or null if it was deleted permanently.'),
);

export const aliasParamsSchema = z.object({
  alias: nameOf('Alias or previous alias of the link, regardless of case.'),
});

export const previousAliasParamsSchema = aliasParamsSchema.extend({
  old: addressField('The previous alias to remove, as in `previousAliases`, regardless of case.'),
});

/** The query of requests with an alias in their path. */
export const linkQuerySchema = z.object({
  domain: domainParameter('Host of the alias. Default: that of the server.'),
});

export const deleteQuerySchema = z.strictObject({
  ...linkQuerySchema.shape,
  purge: flag('If `true`, deletes the link permanently at once.'),
});
