import { hash, randomBytes } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import fastify from 'fastify';
import { z } from 'zod';
import { shortenRequestSchema } from '../../../shared/links/shorten-request.ts';
import { appendDurably } from './append-durably.ts';

/**
 * A create that also does what no client can do without: the schema, the rate limit, the hash of the
 * token, and the response of the API. It has no accounts, index, quota or idempotency, and the line that
 * it writes has no checksum.
 */
const MAX = 1_000_000_000;
const append = await appendDurably(process.argv[2]);
const parser = z.compile(shortenRequestSchema);
const accounts = new Map<string, string>();
const links = new Map<string, string>();
const app = fastify();
await app.register(rateLimit, {
  global: false,
  max: MAX,
  timeWindow: 60_000,
  enableDraftSpec: true,
});
app.post('/api/shorten', { config: { rateLimit: {} } }, async ({ headers, body }, reply) => {
  const authToken = (headers.authorization ?? '').replace('Bearer ', '');
  const accountId = accounts.get(hash('sha256', authToken, 'base64url')) ?? 'the-only-account';
  const alias = randomBytes(6).toString('base64url');
  const { text: originalUrl, url } = parser.parse(body).originalUrl;
  const id = randomBytes(12).toString('base64url');
  const created = new Date().toISOString();
  links.set(alias, url.href);
  await append(JSON.stringify({ id, alias, accountId, originalUrl, created }));
  reply.headers({
    'cache-control': 'no-store',
    vary: 'Origin',
    'x-quota-limit': MAX,
    'x-quota-remaining': MAX - 1,
    'x-quota-reset': 1_000_000,
  });
  const data = {
    id,
    alias,
    shortUrl: `http://localhost:2878/${alias}`,
    originalUrl,
    customAlias: '',
    domain: 'localhost:2878',
    title: '',
    description: null,
    hasPassword: false,
    isActive: true,
    manyWrongPasswords: false,
    status: 'active',
    expiresAt: null,
    hits: 0,
    maxVisits: null,
    forwardQuery: false,
    customGtmId: null,
    tags: [],
    previousAliases: [],
    waitTimer: 0,
    created,
    modified: created,
    version: 1,
    authToken,
  };
  return { success: true, message: 'The short link is ready.', data };
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
