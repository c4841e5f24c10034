import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { VERSION } from '../../lib/version.ts';
import { isCurrent } from '../http/etag.ts';

const ASSET_MAX_AGE_SECONDS = 60 * 60;

/** A file that pages load. */
export type Asset = {
  content: Buffer;
  type: string;
  etag: string;
  /** Of this version of the file. */
  url: string;
  headers: Record<string, string>;
};

/** @param policy what it may do as a page of its own */
export function toAsset(path: string, content: Buffer, type: string, policy?: string): Asset {
  const hash = createHash('sha256').update(content).digest('base64url');
  return {
    content,
    type,
    etag: `"${hash}"`,
    url: `${path}?v=${hash.slice(0, 8)}`,
    headers: policy === undefined ? {} : { 'content-security-policy': policy },
  };
}

/** To be cached only at a URL of this version: another server may send the same URL with other content. */
export function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply) {
  const { v } = request.query as { v?: unknown };
  const isThisVersion = v === VERSION || request.url === asset.url;
  reply.headers({
    etag: asset.etag,
    'cache-control': isThisVersion ? `public, max-age=${ASSET_MAX_AGE_SECONDS}` : 'no-cache',
    'x-content-type-options': 'nosniff',
    ...asset.headers,
  });
  if (isCurrent(request.headers['if-none-match'], asset.etag)) return reply.code(304).send();
  return reply.type(asset.type).send(asset.content);
}
