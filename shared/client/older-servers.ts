import { z } from 'zod';
import { accountResponseSchema } from '../accounts/account.ts';
import { shortenResponseSchema } from '../links/link-record.ts';

/** Fields of a link record that older servers do not send. The first version is 1. */
const LINK_DEFAULTS = {
  status: 'active',
  maxVisits: null,
  forwardQuery: false,
  customGtmId: null,
  tags: [],
  furtherAliases: [],
  version: 0,
} as const;

/** Fields of an account that older servers do not send. */
const ACCOUNT_DEFAULTS = { name: '', tokens: [] };

/** The body of `POST /api/shorten`, also of a server that is older than this client. */
export const shortenResponseOfAnyServer = withDefaults(shortenResponseSchema, LINK_DEFAULTS);

/** The body of `GET /api/account`, also of a server that is older than this client. */
export const accountResponseOfAnyServer = withDefaults(accountResponseSchema, ACCOUNT_DEFAULTS);

/** Adds what the `data` of a response lacks. */
function withDefaults<T>(schema: z.ZodType<T>, defaults: object) {
  return z.preprocess((body) => {
    if (!isObject(body) || !isObject(body.data)) return body;
    return { ...body, data: { ...defaults, ...body.data } };
  }, schema);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
