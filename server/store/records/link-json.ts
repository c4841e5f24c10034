import type { Rule } from '../../../shared/links/destinations.ts';
import type { Link } from '../link.ts';

/** A link as JSON, without its id, which is the key of its record. Default values are omitted. */
export type LinkJson = Pick<Link, 'alias' | 'accountId' | 'originalUrl' | 'created'> &
  Partial<Omit<Link, 'id' | 'alias' | 'accountId' | 'originalUrl' | 'created'>>;

/** Most links have no tags, no earlier aliases and no rules, so they share one array. Nobody changes it. */
const NONE: string[] = [];
const NO_RULES: Rule[] = [];

export function toLinkJson(link: Link): LinkJson {
  const { created, originalUrl } = link;
  const json = {
    alias: link.alias,
    accountId: link.accountId,
    originalUrl,
    created,
    targetUrl: link.targetUrl === originalUrl ? undefined : link.targetUrl,
    aliasIsCustom: link.aliasIsCustom || undefined,
    previousAliases: link.previousAliases.length > 0 ? link.previousAliases : undefined,
    title: link.title || undefined,
    description: link.description ?? undefined,
    tags: link.tags.length > 0 ? link.tags : undefined,
    passwordHash: link.passwordHash ?? undefined,
    rules: link.rules.length > 0 ? link.rules : undefined,
    startsAt: link.startsAt ?? undefined,
    hideUntilStart: link.hideUntilStart || undefined,
    goneUrl: link.goneUrl ?? undefined,
    card: link.card ?? undefined,
    expiresAt: link.expiresAt ?? undefined,
    maxVisits: link.maxVisits ?? undefined,
    waitTimerSeconds: link.waitTimerSeconds || undefined,
    containerId: link.containerId ?? undefined,
    forwardQuery: link.forwardQuery || undefined,
    isActive: link.isActive ? undefined : false,
    deletedAt: link.deletedAt ?? undefined,
    hits: link.hits || undefined,
    modified: link.modified === created ? undefined : link.modified,
    version: link.version === 1 ? undefined : link.version,
    importKey: link.importKey ?? undefined,
  } satisfies { [K in keyof LinkJson]-?: LinkJson[K] | undefined };
  // JSON has no undefined: those members are omitted.
  return json as LinkJson;
}

export function fromLinkJson(id: string, json: LinkJson, hits = json.hits ?? 0): Link {
  return {
    id,
    accountId: json.accountId,
    alias: json.alias,
    aliasIsCustom: json.aliasIsCustom ?? false,
    previousAliases: json.previousAliases ?? NONE,
    originalUrl: json.originalUrl,
    targetUrl: json.targetUrl ?? json.originalUrl,
    title: json.title ?? '',
    description: json.description ?? null,
    tags: json.tags ?? NONE,
    passwordHash: json.passwordHash ?? null,
    rules: json.rules ?? NO_RULES,
    startsAt: json.startsAt ?? null,
    hideUntilStart: json.hideUntilStart ?? false,
    goneUrl: json.goneUrl ?? null,
    card: json.card ?? null,
    expiresAt: json.expiresAt ?? null,
    maxVisits: json.maxVisits ?? null,
    waitTimerSeconds: json.waitTimerSeconds ?? 0,
    containerId: json.containerId ?? null,
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
