import type { FastifyReply, FastifyRequest } from 'fastify';
import { isWebScheme, schemeOf } from '../../../shared/links/schemes.ts';
import type { Settings } from '../../config.ts';
import type { ShortDomains } from '../../domains/short-domains.ts';
import type { Clock } from '../../lib/clock.ts';
import { displayHost } from '../../lib/display-host.ts';
import type { RandomBytes } from '../../lib/random-bytes.ts';
import { clientAddress } from '../../limits/client-ip.ts';
import type { Link } from '../../store/link.ts';
import { signGoLink } from '../../visits/go-link-token.ts';
import { containerOf } from '../../visits/needs-preview.ts';
import type { TargetChooser } from '../../visits/target-chooser.ts';
import { targetUrlOf } from '../../visits/target-url.ts';
import { sendPage } from '../../web/views/send-page.ts';
import { visitedPath } from './visited-path.ts';

export type PreviewDependencies = {
  settings: Pick<Settings, 'customGtm' | 'extraSchemes'>;
  clock: Clock;
  chooseTarget: TargetChooser;
  randomBytes: RandomBytes;
  domains: ShortDomains;
  /** Signs go-links: the `SECRET` setting or, if unset, the data folder's secret. */
  secret: Buffer;
};

const NONCE_BYTES = 16;

/**
 * Sends the page between a short link and its target. The server enforces the wait: the page contains
 * a go-link that is valid only after the wait, and only the host of the target.
 *
 * @param query of the visit, if the link forwards it
 */
export function sendPreviewPage(
  reply: FastifyReply,
  link: Link,
  dependencies: PreviewDependencies,
  query: string,
): Promise<FastifyReply> {
  const { request } = reply;
  const { client } = clientAddress(request);
  const waitMs = link.waitTimer * 1000;
  const customGtmId = containerOf(link, dependencies);
  return sendPage(
    reply,
    'preview',
    {
      ...linkFacts(link, dependencies),
      host: hostOf(targetUrlOf(link, dependencies.chooseTarget(link, request, client))),
      waitMs,
      waitTimer: Math.ceil(link.waitTimer),
      customGtmId,
      goPath: goPath(request, link, dependencies, { waitMs, query }),
    },
    customGtmId === null
      ? {}
      : {
          nonce: dependencies.randomBytes(NONCE_BYTES).toString('base64'),
          isSandboxed: dependencies.settings.customGtm !== 'unsandboxed',
        },
  );
}

/** The path of a go-link. Its token is the first parameter. */
export function goPath(
  request: FastifyRequest,
  link: Link,
  { clock, secret }: Pick<PreviewDependencies, 'clock' | 'secret'>,
  { waitMs = 0, query }: { waitMs?: number; query: string },
): string {
  const token = signGoLink(link, clock() + waitMs, secret);
  return `${visitedPath(request)}/go?t=${token}${query && `&${query}`}`;
}

/** The data that pages show about a link once its password is known. */
export function linkFacts(link: Link, dependencies: Pick<PreviewDependencies, 'domains'>) {
  return {
    title: link.title.trim(),
    description: link.description,
    shortAddress: shortAddress(link, dependencies),
  };
}

/** Host and port; with the scheme if it is no page on the web, and the scheme alone if it has no host. */
export function hostOf(targetUrl: string): string {
  const { protocol, host } = new URL(targetUrl);
  if (isWebScheme(schemeOf(targetUrl))) return host;
  return host === '' ? protocol : `${protocol}//${host}`;
}

/** The short URL without its protocol. */
export function shortAddress(
  link: Link,
  { domains }: Pick<PreviewDependencies, 'domains'>,
): string {
  const { domain, alias } = domains.split(link.alias);
  return `${displayHost(domain.host)}/${alias}`;
}
