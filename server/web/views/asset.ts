import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
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

export function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply) {
  reply.headers({
    etag: asset.etag,
    'cache-control': `public, max-age=${ASSET_MAX_AGE_SECONDS}`,
    'x-content-type-options': 'nosniff',
    ...asset.headers,
  });
  if (isCurrent(request.headers['if-none-match'], asset.etag)) return reply.code(304).send();
  return reply.type(asset.type).send(asset.content);
}
