import type { Link } from '../link.ts';

/** A link as JSON, without its id, which is the key of its record. Default values are omitted. */
export type LinkJson = Pick<Link, 'alias' | 'accountId' | 'originalUrl' | 'created'> &
  Partial<Omit<Link, 'id' | 'alias' | 'accountId' | 'originalUrl' | 'created'>>;

/** Most links have no tags and no earlier aliases, so they share one array. Nobody changes it. */
const NONE: string[] = [];

export function toLinkJson(link: Link): LinkJson {
  const { alias, accountId, originalUrl, created } = link;
  const json: LinkJson = { alias, accountId, originalUrl, created };
  if (link.targetUrl !== originalUrl) json.targetUrl = link.targetUrl;
  if (link.aliasIsCustom) json.aliasIsCustom = true;
  if (link.furtherAliases.length > 0) json.furtherAliases = link.furtherAliases;
  if (link.title !== '') json.title = link.title;
  if (link.description !== null) json.description = link.description;
  if (link.tags.length > 0) json.tags = link.tags;
  if (link.passwordHash !== null) json.passwordHash = link.passwordHash;
  if (link.expiresAt !== null) json.expiresAt = link.expiresAt;
  if (link.maxVisits !== null) json.maxVisits = link.maxVisits;
  if (link.waitTimerSeconds !== 0) json.waitTimerSeconds = link.waitTimerSeconds;
  if (link.gtmId !== null) json.gtmId = link.gtmId;
  if (link.forwardQuery) json.forwardQuery = true;
  if (!link.isActive) json.isActive = false;
  if (link.deletedAt !== null) json.deletedAt = link.deletedAt;
  if (link.hits !== 0) json.hits = link.hits;
  if (link.modified !== created) json.modified = link.modified;
  if (link.version !== 1) json.version = link.version;
  if (link.importKey !== null) json.importKey = link.importKey;
  return json;
}

export function fromLinkJson(id: string, json: LinkJson, hits = json.hits ?? 0): Link {
  return {
    id,
    accountId: json.accountId,
    alias: json.alias,
    aliasIsCustom: json.aliasIsCustom ?? false,
    furtherAliases: json.furtherAliases ?? NONE,
    originalUrl: json.originalUrl,
    targetUrl: json.targetUrl ?? json.originalUrl,
    title: json.title ?? '',
    description: json.description ?? null,
    tags: json.tags ?? NONE,
    passwordHash: json.passwordHash ?? null,
    expiresAt: json.expiresAt ?? null,
    maxVisits: json.maxVisits ?? null,
    waitTimerSeconds: json.waitTimerSeconds ?? 0,
    gtmId: json.gtmId ?? null,
    forwardQuery: json.forwardQuery ?? false,
    isActive: json.isActive ?? true,
    deletedAt: json.deletedAt ?? null,
    hits,
    created: json.created,
    modified: json.modified ?? json.created,
    version: json.version ?? 1,
    importKey: json.importKey ?? null,
  };
}
