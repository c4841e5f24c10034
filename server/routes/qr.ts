import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Service } from '../core/context.ts';
import { qrPng, qrSvg } from '../links/qr-code.ts';
import { shortUrl } from '../links/to-link-record.ts';
import type { LinkFinder } from '../visit/link-finder.ts';

const QR_MAX_AGE_SECONDS = 300;

type QrVisit = { Params: { alias: string } };

/** `GET /<alias>/qr.svg` and `/<alias>/qr.png`: the short URL as a QR code, password or not. */
export async function qrRoutes(
  app: FastifyInstance,
  { service, findLink }: { service: Service; findLink: LinkFinder },
) {
  app.get<QrVisit>('/:alias/qr.svg', async (request, reply) => {
    const link = await findLink(request, request.params.alias);
    setImageHeaders(reply, 'image/svg+xml', `${link.alias}.svg`);
    return qrSvg(shortUrl(link, service.shortDomain()));
  });

  app.get<QrVisit>('/:alias/qr.png', async (request, reply) => {
    const link = await findLink(request, request.params.alias);
    setImageHeaders(reply, 'image/png', `${link.alias}.png`);
    return qrPng(shortUrl(link, service.shortDomain()));
  });
}

function setImageHeaders(reply: FastifyReply, type: string, fileName: string): void {
  reply.headers({
    'content-type': type,
    'content-disposition': `inline; filename="${fileName}"`,
    'cache-control': `private, max-age=${QR_MAX_AGE_SECONDS}`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  });
}
