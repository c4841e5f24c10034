import type { FastifyReply } from 'fastify';
import type { Card } from '../../../shared/links/destinations.ts';
import { isWebScheme, schemeOf } from '../../../shared/links/schemes.ts';
import type { Settings } from '../../config.ts';
import type { Domains } from '../../domains/short-domains.ts';
import type { RandomBytes } from '../../lib/random-bytes.ts';
import type { Clock } from '../../lib/time.ts';
import type { Link } from '../../store/link.ts';
import { goPath, visitedPath } from '../../visits/go-link.ts';
import { type TargetChooser, targetUrlOf } from '../../visits/redirect-target.ts';
import type { Visit } from '../../visits/visit.ts';
import { sendPage } from '../../web/views/send-page.ts';

export type PreviewDependencies = {
  settings: Pick<Settings, 'customGtm' | 'extraSchemes'>;
  clock: Clock;
  chooseTarget: TargetChooser;
  randomBytes: RandomBytes;
  domains: Domains;
  /** Signs go-links: the `SECRET` setting or, if unset, the data folder's secret. */
  secret: Buffer;
};

const NONCE_BYTES = 16;

/** The link's container, unless containers are disabled on this server. */
function containerOf(
  { customGtmId }: Link,
  { settings }: Pick<PreviewDependencies, 'settings'>,
): string | null {
  return settings.customGtm === 'off' ? null : customGtmId;
}

/** Whether there is a page between the short link and its target. */
export function needsPreview(
  link: Link,
  dependencies: Pick<PreviewDependencies, 'settings'>,
): boolean {
  return link.waitTimer > 0 || containerOf(link, dependencies) !== null;
}

/**
 * Sends the page between a short link and its target. The server enforces the wait: the page contains
 * a go-link that is valid only after the wait, and only the host of the target.
 */
export function sendPreviewPage(
  reply: FastifyReply,
  visit: Visit,
  link: Link,
  dependencies: PreviewDependencies,
): Promise<FastifyReply> {
  const waitMs = link.waitTimer * 1000;
  const customGtmId = containerOf(link, dependencies);
  return sendPage(
    reply,
    'preview',
    {
      ...linkFacts(link, dependencies),
      host: hostOf(targetUrlOf(link, dependencies.chooseTarget(link, visit))),
      waitMs,
      waitTimer: Math.ceil(link.waitTimer),
      customGtmId,
      goPath: goPath(visit, link, dependencies, waitMs),
    },
    customGtmId === null
      ? {}
      : {
          nonce: dependencies.randomBytes(NONCE_BYTES).toString('base64'),
          isSandboxed: dependencies.settings.customGtm !== 'unsandboxed',
        },
  );
}

/** Returns the data that pages show about a link once its password is known. */
export function linkFacts(link: Link, dependencies: Pick<PreviewDependencies, 'domains'>) {
  return {
    title: link.title,
    description: link.description,
    shortAddress: dependencies.domains.shortAddress(link.alias),
  };
}

/** Returns host and port; with the scheme if it is no page on the web, and the scheme alone if it has no host. */
export function hostOf(targetUrl: string): string {
  const { protocol, host } = new URL(targetUrl);
  if (isWebScheme(schemeOf(targetUrl))) return host;
  return host === '' ? protocol : `${protocol}//${host}`;
}

/**
 * Whether only a visit shows where the link leads. Otherwise the wait would be no wait, and anybody could read the
 * target without being one of the visitors whom `maxVisits` admits.
 */
export function hidesTarget({ waitTimer, maxVisits }: Link): boolean {
  return waitTimer > 0 || maxVisits !== null;
}

/** `/<alias>+`: shows where the link goes, with all its targets; only their hosts if the link hides them. */
export function sendInspectPage(
  reply: FastifyReply,
  visit: Visit,
  link: Link,
  dependencies: PreviewDependencies,
): Promise<FastifyReply> {
  const isHidden = hidesTarget(link);
  const shown = (url: string) => (isHidden ? hostOf(url) : url);
  return sendPage(reply, 'inspect', {
    ...linkFacts(link, dependencies),
    host: hostOf(link.targetUrl),
    target: isHidden ? undefined : link.targetUrl,
    others: [...new Set(link.rules.map((rule) => shown(rule.originalUrl)))],
    goneTarget: link.goneUrl === null ? undefined : shown(link.goneUrl),
    waitTimer: Math.ceil(link.waitTimer),
    hasLimit: link.maxVisits !== null,
    expiresAt: link.expiresAt,
    continuePath: continuePath(visit, link, dependencies),
  });
}

/** Visitors who have just entered the password do not have to enter it again. */
function continuePath(visit: Visit, link: Link, dependencies: PreviewDependencies): string {
  const needsGoLink = link.passwordHash !== null && !needsPreview(link, dependencies);
  return needsGoLink ? goPath(visit, link, dependencies) : visitedPath(visit, link);
}

/** Sends the password form of a link. It contains nothing about the link except its short URL. */
export function sendPasswordPage(
  reply: FastifyReply,
  visit: Visit,
  link: Link,
  dependencies: Pick<PreviewDependencies, 'domains' | 'settings'>,
  { inspects, isWrong = false }: { inspects: boolean; isWrong?: boolean },
): Promise<FastifyReply> {
  return sendPage(
    reply,
    'password',
    {
      shortAddress: dependencies.domains.shortAddress(link.alias),
      action: visitedPath(visit, link, inspects ? '+' : ''),
      isWrong,
    },
    { hasOwnForm: true, formSchemes: ['http', 'https', ...dependencies.settings.extraSchemes] },
  );
}

/**
 * Sends what a chat or feed shows of a link: the card, and what it lacks from the link itself. Nothing is fetched,
 * and the target is not in it.
 */
export function sendCardPage(
  reply: FastifyReply,
  link: Link,
  card: Card,
  dependencies: { domains: Domains },
): Promise<FastifyReply> {
  return sendPage(reply, 'card', {
    title: card.title ?? (link.title || dependencies.domains.shortAddress(link.alias)),
    description: card.description ?? link.description,
    imageUrl: card.imageUrl,
    url: dependencies.domains.shortUrl(link.alias),
  });
}
