import type { FastifyInstance, FastifyReply } from 'fastify';
import { LruMap } from 'toad-cache';
import type { Domains } from '../../domains/short-domains.ts';
import { VERSION } from '../../lib/shipped-files.ts';
import { qrPng, qrSvg } from '../../links/qr-code.ts';
import type { LinkFinder } from '../../visits/link-finder.ts';
import { etagOf, isCurrent } from '../../web/views/assets.ts';
import { readVisit } from './redirects.ts';

const QR_MAX_AGE_SECONDS = 300;
/** About 1 kB each. */
const MAX_CACHED_IMAGES = 1000;

const FORMATS = {
  svg: { type: 'image/svg+xml', render: qrSvg },
  png: { type: 'image/png', render: qrPng },
} as const;

type QrVisit = { Params: { alias: string } };

/** `GET /<alias>/qr.svg` and `/<alias>/qr.png`: the short URL as a QR code. Needs no password. */
export async function qrRoutes(
  app: FastifyInstance,
  { domains, findLink }: { domains: Domains; findLink: LinkFinder },
) {
  const images = new LruMap<string | Buffer>(MAX_CACHED_IMAGES);

  for (const format of ['svg', 'png'] as const) {
    app.get<QrVisit>(`/:alias/qr.${format}`, async (request, reply) => {
      const link = await findLink(readVisit(request));
      const text = domains.shortUrl(link.alias);
      const etag = etagOf(VERSION, format, text);
      setImageHeaders(
        reply,
        FORMATS[format].type,
        `${domains.split(link.alias).alias}.${format}`,
        etag,
      );
      if (isCurrent(request.headers['if-none-match'], etag)) return reply.code(304).send();
      // Its length would take as long as the image.
      if (request.method === 'HEAD') return reply.send();
      const image = images.get(etag) ?? (await FORMATS[format].render(text));
      images.set(etag, image);
      return reply.send(image);
    });
  }
}

function setImageHeaders(reply: FastifyReply, type: string, fileName: string, etag: string): void {
  reply.headers({
    'content-type': type,
    'content-disposition': `inline; filename="${fileName}"`,
    'cache-control': `private, max-age=${QR_MAX_AGE_SECONDS}`,
    etag,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  });
}
