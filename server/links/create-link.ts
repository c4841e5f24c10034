import { createKeyedMutex } from '../../shared/keyed-mutex.ts';
import type { LinkRecord } from '../../shared/links/link-record.ts';
import type { ParsedShortenRequest } from '../../shared/links/shorten-request.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Passwords } from '../accounts/passwords.ts';
import {
  assertQuotaLeft,
  monthlyQuotaOf,
  noRoom,
  quotaExceeded,
  type RoomDependencies,
  roomFor,
} from '../accounts/quota.ts';
import type { SignInDependencies } from '../accounts/sign-in.ts';
import { hashToken, newToken, tokenFromKey } from '../accounts/tokens.ts';
import type { Settings } from '../config.ts';
import { type Domain, domainUnusable, isReserved, usableDomain } from '../domains/short-domains.ts';
import { newId } from '../lib/random-bytes.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { Clock } from '../lib/time.ts';
import type { AliasAnswers } from '../limits/client-limits.ts';
import { addressKey } from '../limits/limit-counter.ts';
import type { Limits } from '../limits/limits.ts';
import type { Traffic } from '../metrics/traffic.ts';
import type { Account, Authorization, NewAccount } from '../store/account.ts';
import type { Link } from '../store/link.ts';
import type { AddLinkOutcome, Idempotency, Replay } from '../store/link-calls.ts';
import { type AliasDependencies, aliasConflict, aliasTaken, generateAliases } from './aliases.ts';
import {
  assertSupported,
  type SupportDependencies,
  targetsTooLong,
  timesOf,
} from './allowed-fields.ts';
import { findReusable } from './find-reusable.ts';
import { hashBody, hashKey } from './idempotency.ts';
import { tooManyTags } from './manage/own-link.ts';
import { qrDataUrl } from './qr-code.ts';
import { type RecordDependencies, toLinkRecord, toSameFields } from './to-link-record.ts';

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

/** Where the new link would be, and when it would work. */
type Place = { domain: Domain; now: number } & Pick<Link, 'startsAt' | 'expiresAt'>;

export type CreatedLink = {
  record: LinkRecord;
  /** Token of the account. */
  authToken: string;
  /** Whether the account is there since this link. A replay has what the first response had. */
  isNewAccount: boolean;
  /** Whether the link was there before. A replay has what the first response had. */
  isReused: boolean;
  /** What counts for the account against the quota of this calendar month. */
  usedInMonth: number;
};

export type Shortener = ReturnType<typeof createShortener>;

/**
 * Creates the use case of `POST /api/shorten`, which creates a link from a validated request and returns its
 * record.
 *
 * @see docs/api.md, "Create links"
 */
export function createShortener(dependencies: ShortenDependencies, limits: Limits) {
  const { settings, store, clock, randomBytes, dataSecret, traffic, domains } = dependencies;
  const newAccounts = limits.exact('anonymous account');
  const runExclusive = createKeyedMutex();
  const madeUpAliases = generateAliases(randomBytes);

  /** @throws ServiceError with any code of the endpoint that is not about HTTP itself */
  function shorten(call: Call): Promise<CreatedLink> {
    const { request, caller, idempotencyKey: key } = call;
    const idempotency = key === undefined ? null : toIdempotency(call, key);
    const create = () => createOrFind(call, idempotency);
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

  /**
   * First what this server refuses. Then a repeated request gets its first response, whatever the time is now. Only
   * then times can be in the past, a key can belong to another body, and a link can be reused. The store decides
   * about the rest, since other servers create links, too.
   */
  async function createOrFind(call: Call, idempotency: Idempotency | null): Promise<CreatedLink> {
    const { request, caller } = call;
    const now = clock();
    assertSupported(request, dependencies);
    const account = caller.kind === 'account' ? caller.account : undefined;
    const domain =
      request.domain === undefined
        ? domains.defaultOf(account)
        : usableDomain(request.domain, account?.id, domains);
    const replay = idempotency && (await store.findReplay(idempotency.keyHash, now));
    if (replay && replay.bodyHash === idempotency.bodyHash) return toReplay(call, replay, now);
    const place = { domain, now, ...timesOf(request, now) };
    if (replay) throw idempotencyMismatch();
    return (await reuse(call, place)) ?? createNew(call, idempotency, place);
  }

  /** @returns undefined if there is no such link, or the token may not see it: the scope `create` sees no other links */
  async function reuse(
    { request, caller }: Call,
    { now, ...place }: Place,
  ): Promise<CreatedLink | undefined> {
    if (!request.reuse || caller.kind !== 'account' || caller.tokenInfo.scope !== 'all') {
      return undefined;
    }
    const { id: accountId } = caller.account;
    const link = await findReusable(request, { ...place, accountId }, now, dependencies);
    if (!link) return undefined;
    const { month: usedInMonth } = await store.countLinks(accountId, now);
    const record = toRecord(link, request, now);
    return { record, authToken: caller.token, isNewAccount: false, isReused: true, usedInMonth };
  }

  async function createNew(
    call: Call,
    idempotency: Idempotency | null,
    place: Place,
  ): Promise<CreatedLink> {
    const { caller } = call;
    const authToken = tokenFor(call, idempotency);
    if (caller.kind === 'account') {
      const outcome = await addLink(call, idempotency, place, caller.account, null);
      return toCreated(outcome, call, place, authToken);
    }
    const account: NewAccount = {
      ...{ id: newId(randomBytes), tokenHash: hashToken(authToken), name: '', created: place.now },
      isAnonymous: true,
    };
    // Counted first, so that concurrent calls cannot open more; a call that opens none is taken back.
    const address = addressKey(caller.address);
    const { isExceeded, ttlInSeconds } = await newAccounts.take(address);
    if (isExceeded) throw tooManyAccounts(ttlInSeconds);
    let outcome: AddLinkOutcome | undefined;
    try {
      outcome = await addLink(call, idempotency, place, account, account);
    } finally {
      if (outcome?.kind !== 'added') await newAccounts.takeBack(address);
    }
    return toCreated(outcome, call, place, authToken);
  }

  async function addLink(
    call: Call,
    idempotency: Idempotency | null,
    place: Place,
    account: Account,
    newAccount: NewAccount | null,
  ): Promise<AddLinkOutcome> {
    const { by, request } = call;
    const { id: accountId } = account;
    const { domain, now, ...times } = place;
    const { password } = request;
    return store.addLink({
      by,
      link: {
        id: newId(randomBytes),
        accountId,
        aliasIsCustom: request.customAlias !== undefined,
        originalUrl: request.originalUrl.text,
        // Always ASCII without spaces or line breaks.
        targetUrl: request.originalUrl.url.href,
        ...toSameFields(request),
        passwordHash:
          password === undefined ? null : await hashPassword(password, call, accountId, place),
        ...times,
        created: now,
      },
      aliases: aliasesFor(request.customAlias, domain),
      newAccount,
      idempotency,
      quota: quotaOf(call.caller),
      room: roomFor(account, now, dependencies),
    });
  }

  /** @throws ServiceError unless there is a link */
  async function toCreated(
    outcome: AddLinkOutcome,
    call: Call,
    { domain, now }: Place,
    authToken: string,
  ): Promise<CreatedLink> {
    const { request, caller } = call;
    switch (outcome.kind) {
      case 'added':
        traffic.created.api++;
        return {
          record: toRecord(outcome.link, request),
          authToken,
          isNewAccount: caller.kind === 'anonymous',
          isReused: false,
          usedInMonth: outcome.usedInMonth,
        };
      case 'replayed':
        return toReplay(call, outcome.replay, now);
      case 'mismatch':
        throw idempotencyMismatch();
      case 'quota_exceeded':
        throw quotaExceeded(quotaOf(caller), now);
      case 'store_full':
      case 'anonymous_limit':
        throw noRoom(outcome.kind, now);
      case 'targets_too_long':
        throw targetsTooLong();
      case 'too_many_tags':
        throw tooManyTags();
      case 'account_deleted':
        throw new ServiceError('invalid_token', 'The account of this token was deleted.');
      case 'alias_taken': {
        const alias = domains.qualify(domain, request.customAlias ?? '');
        const accountId = caller.kind === 'account' ? caller.account.id : undefined;
        throw await aliasTaken(alias, accountId, dependencies);
      }
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
    accountId: string,
    { domain, now }: Place,
  ): Promise<string> {
    await assertQuotaLeft({ accountId, quota: quotaOf(caller), now }, store);
    if (customAlias !== undefined) {
      const alias = domains.qualify(domain, customAlias);
      const conflict = await aliasConflict(alias, accountId, dependencies);
      if (conflict) throw conflict;
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
      isReused: false,
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

export function idempotencyMismatch(): ServiceError {
  return new ServiceError(
    'idempotency_mismatch',
    'This Idempotency-Key was already used with a different body. Use a new key for a new request.',
  );
}
