import { createKeyedMutex } from '../../shared/keyed-mutex.ts';
import type { LinkRecord } from '../../shared/links/link-record.ts';
import type { ParsedShortenRequest } from '../../shared/links/shorten-request.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Passwords } from '../accounts/passwords.ts';
import { assertQuotaLeft, monthlyQuotaOf, quotaExceeded } from '../accounts/quota.ts';
import { noRoom, type RoomDependencies, roomFor } from '../accounts/room.ts';
import type { SignInDependencies } from '../accounts/sign-in.ts';
import { hashToken, newToken, tokenFromKey } from '../accounts/tokens.ts';
import type { Settings } from '../config.ts';
import { domainUnusable, usableDomain } from '../domains/named-domain.ts';
import type { Domain } from '../domains/short-domains.ts';
import type { Clock } from '../lib/clock.ts';
import { DAY_MS } from '../lib/durations.ts';
import { newId } from '../lib/random-bytes.ts';
import { isReserved } from '../lib/reserved-aliases.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { AliasAnswers } from '../limits/alias-answers.ts';
import { addressKey } from '../limits/limit-key.ts';
import type { Limits } from '../limits/limits.ts';
import type { Traffic } from '../metrics/traffic.ts';
import type { Account, Authorization } from '../store/account.ts';
import type { AddLinkOutcome, Idempotency, Link, Replay } from '../store/link.ts';
import { type AliasDependencies, aliasTaken, generateAliases } from './aliases.ts';
import { assertSupported, type SupportDependencies } from './assert-supported.ts';
import { assertStartsBeforeExpiry, resolveExpiry } from './expiry.ts';
import { findReusable } from './find-reusable.ts';
import { hashBody, hashKey } from './idempotency.ts';
import { toStoredFields } from './plain-fields.ts';
import { qrDataUrl } from './qr-code.ts';
import { targetsTooLong } from './targets-too-long.ts';
import { type RecordDependencies, toLinkRecord } from './to-link-record.ts';

type ShortenDependencies = AliasDependencies &
  SupportDependencies &
  RecordDependencies &
  Pick<SignInDependencies, 'dataSecret'> &
  RoomDependencies & {
    settings: Pick<Settings, 'anonymousPerDay' | 'monthlyQuota'>;
    clock: Clock;
    passwords: Pick<Passwords, 'hash'>;
    aliasAnswers: AliasAnswers;
    traffic: Pick<Traffic, 'created'>;
  };

type Call = {
  request: ParsedShortenRequest;
  caller: Exclude<Caller, { kind: 'rejected' }>;
  by: Authorization;
  /** Already validated by `readIdempotencyKey`. */
  idempotencyKey: string | undefined;
  /** What is stored instead of the hash of the request, if it is one of a batch. */
  batchHash?: string | undefined;
};

export type CreatedLink = {
  record: LinkRecord;
  /** Of the account. */
  authToken: string;
  /** Whether the account is there since this link. A replay has what the first response had. */
  isNewAccount: boolean;
  /** What counts for the account against the quota of this calendar month. */
  usedInMonth: number;
};

export type Shortener = ReturnType<typeof createShortener>;

/**
 * The use case of `POST /api/shorten`: creates a link from a validated request and returns its record.
 *
 * @see docs/api.md, "Create links"
 */
export function createShortener(dependencies: ShortenDependencies, limits: Limits) {
  const { settings, store, clock, randomBytes, dataSecret, traffic, domains } = dependencies;
  const newAccounts = limits.exact({
    name: 'anonymous account',
    max: settings.anonymousPerDay,
    windowMs: DAY_MS,
  });
  const runExclusive = createKeyedMutex();
  const madeUpAliases = generateAliases(randomBytes);

  /** @throws ServiceError with any code of the endpoint that is not about HTTP itself */
  function shorten(call: Call): Promise<CreatedLink> {
    const { request, caller, idempotencyKey: key } = call;
    const idempotency = key === undefined ? null : toIdempotency(call, key);
    const create = () => shortenOnce(call, idempotency);
    const { customAlias } = request;
    const tells = customAlias !== undefined && !isReserved(customAlias);
    const account = caller.kind === 'account' ? caller.account : undefined;
    const asker = { account, address: caller.address };
    const run = tells ? () => dependencies.aliasAnswers.ask(asker, create) : create;
    // The first of several calls with the same key or for the same URL creates the link, and the others find it.
    const lock =
      request.reuse && account ? `${account.id} ${request.originalUrl.text}` : idempotency?.keyHash;
    return lock === undefined ? run() : runExclusive(lock, run);
  }

  async function shortenOnce(call: Call, idempotency: Idempotency | null): Promise<CreatedLink> {
    const { request, caller } = call;
    const now = clock();
    assertSupported(request, dependencies);
    const account = caller.kind === 'account' ? caller.account : undefined;
    const domain =
      request.domain === undefined
        ? domains.defaultOf(account)
        : usableDomain(request.domain, account?.id, domains);

    const accountId = account?.id ?? newId(randomBytes);
    const replay = idempotency && (await store.findReplay(idempotency.keyHash, now));
    if (replay && replay.bodyHash === idempotency.bodyHash) {
      return toReplay(call, replay, now);
    }
    const expiresAt = resolveExpiry(request, now);
    const startsAt = request.startsAt === undefined ? null : Date.parse(request.startsAt);
    assertStartsBeforeExpiry({ startsAt, expiresAt });
    if (replay) throw idempotencyMismatch();
    if (request.reuse && caller.kind === 'account') {
      if (caller.tokenInfo.scope !== 'all') throw mayNotReuse();
      const wanted = { accountId, domain, startsAt, expiresAt };
      const link = await findReusable(request, wanted, now, dependencies);
      const { month } = await store.countLinks(accountId, now);
      if (link) {
        const { token: authToken } = caller;
        const record = toRecord(link, request, now);
        return { record, authToken, isNewAccount: false, usedInMonth: month };
      }
    }

    const token = tokenFor(call, idempotency);
    const monthlyQuota = quotaOf(caller);
    const newAccount: Account | null =
      caller.kind === 'account'
        ? null
        : {
            ...{ id: accountId, tokenHash: hashToken(token), name: '', created: now },
            isAnonymous: true,
          };

    // Counted first, so that concurrent calls cannot open more; a call that opens none is taken back.
    const addressOfNew = addressKey(caller.address);
    if (newAccount) {
      const { isExceeded, ttlInSeconds } = await newAccounts.take(addressOfNew);
      if (isExceeded) throw tooManyAccounts(ttlInSeconds);
    }
    let outcome: AddLinkOutcome | undefined;
    try {
      const { password } = request;
      outcome = await store.addLink({
        by: call.by,
        link: {
          id: newId(randomBytes),
          accountId,
          aliasIsCustom: request.customAlias !== undefined,
          originalUrl: request.originalUrl.text,
          // Always ASCII without spaces or line breaks.
          targetUrl: request.originalUrl.url.href,
          ...toStoredFields(request),
          passwordHash:
            password === undefined
              ? null
              : await hashPassword(password, call, { accountId, domain, now }),
          startsAt,
          expiresAt,
          created: now,
        },
        aliases: aliasesFor(request.customAlias, domain),
        newAccount,
        idempotency,
        quota: monthlyQuota,
        room: roomFor(newAccount ?? account ?? {}, now, dependencies),
      });
    } finally {
      if (newAccount && outcome?.kind !== 'added') await newAccounts.takeBack(addressOfNew);
    }

    switch (outcome.kind) {
      case 'added':
        traffic.created.api++;
        return {
          record: toRecord(outcome.link, request),
          authToken: token,
          isNewAccount: newAccount !== null,
          usedInMonth: outcome.usedInMonth,
        };
      case 'replayed':
        return toReplay(call, outcome.replay, now);
      case 'mismatch':
        throw idempotencyMismatch();
      case 'quota_exceeded':
        throw quotaExceeded(monthlyQuota, now);
      case 'store_full':
      case 'anonymous_limit':
        throw noRoom(outcome.kind, now);
      case 'targets_too_long':
        throw targetsTooLong();
      case 'account_deleted':
        throw new ServiceError('invalid_token', 'The account of this token was deleted.');
      case 'alias_taken':
        throw await aliasTaken(domains.qualify(domain, request.customAlias ?? ''), dependencies);
      case 'domain_unusable':
        throw domainUnusable(domain.host);
      case 'imported_before':
        throw new Error('a link that is not imported has no key of an import');
    }
  }

  /** Hashing is expensive, so fail before it if possible. The store has the final say. */
  async function hashPassword(
    password: string,
    { request: { customAlias }, caller }: Call,
    { accountId, domain, now }: { accountId: string; domain: Domain; now: number },
  ): Promise<string> {
    await assertQuotaLeft({ accountId, quota: quotaOf(caller), now }, store);
    if (customAlias !== undefined) {
      const alias = domains.qualify(domain, customAlias);
      const isTaken = isReserved(alias) || (await store.findLink(alias)) !== undefined;
      if (isTaken) throw await aliasTaken(alias, dependencies);
    }
    return dependencies.passwords.hash(password, accountId, caller.address);
  }

  function toIdempotency({ request, caller, batchHash }: Call, key: string): Idempotency {
    const isAnonymous = caller.kind === 'anonymous';
    return {
      keyHash: hashKey(key, isAnonymous ? null : caller.account.id, dataSecret),
      bodyHash: batchHash ?? hashBody(request, dataSecret),
      tokenSalt: isAnonymous ? randomBytes(16).toString('base64url') : null,
    };
  }

  function tokenFor({ caller, idempotencyKey }: Call, idempotency: Idempotency | null): string {
    if (caller.kind === 'account') return caller.token;
    return idempotencyKey !== undefined && idempotency?.tokenSalt
      ? tokenFromKey(idempotencyKey, idempotency.tokenSalt, dataSecret)
      : newToken(randomBytes);
  }

  /** Returns the first response again. */
  async function toReplay(
    { request, caller, idempotencyKey }: Call,
    { link, tokenSalt }: Replay,
    now: number,
  ): Promise<CreatedLink> {
    const token =
      caller.kind === 'account'
        ? caller.token
        : tokenFromKey(idempotencyKey ?? '', tokenSalt ?? '', dataSecret);
    return {
      record: toRecord(link, request),
      authToken: token,
      isNewAccount: caller.kind === 'anonymous',
      usedInMonth: (await store.countLinks(link.accountId, now)).month,
    };
  }

  function toRecord(
    link: Link,
    { generateQR }: ParsedShortenRequest,
    // A replay has the status of the first response, too.
    now = link.created,
  ): LinkRecord {
    const record = toLinkRecord(link, dependencies, now);
    if (generateQR) record.qrCode = qrDataUrl(record.shortUrl);
    return record;
  }

  function aliasesFor(customAlias: string | undefined, domain: Domain): Iterable<string> {
    if (customAlias === undefined) {
      return domain === domains.first ? madeUpAliases : generateAliases(randomBytes, domain);
    }
    return isReserved(customAlias) ? [] : [domains.qualify(domain, customAlias)];
  }

  function quotaOf(caller: Call['caller']): number {
    return caller.kind === 'account'
      ? monthlyQuotaOf(caller.account, settings)
      : settings.monthlyQuota;
  }

  return shorten;
}

function tooManyAccounts(retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    'account_limit',
    'Too many anonymous accounts were created from this address today. Send the token of an existing account.',
    { retryAfterSeconds },
  );
}

function mayNotReuse(): ServiceError {
  return new ServiceError(
    'insufficient_scope',
    'With `reuse`, this requires a token with the scope "all", because the response can be any link of the account.',
  );
}

export function idempotencyMismatch(): ServiceError {
  return new ServiceError(
    'idempotency_mismatch',
    'This Idempotency-Key was already used with a different body. Use a new key for a new request.',
  );
}
