import type { ImportField } from '../../../../shared/links/transfer.ts';
import { IMPORT_SOURCES, type ImportSource } from '../../../../shared/links/transfer-formats.ts';
import { normalizeName } from '../reading/file-table.ts';
import { foldCell, isNothing, readActive, readBoolean } from './cells.ts';
import { columnsOf, FORMATS, type Format, names } from './formats.ts';

/** What redirects are from and to, if paths or URLs are there. Elsewhere, `from` can be a date, and `source` a campaign. */
const OLD_PLACES = names('source, source url, from, origin, old, old url, request');
const NEW_PLACES = names('to, new, new url');

/**
 * What columns of any other table mean, most certain first. A name can be in several lists: `url` is the target
 * unless another column is, and then it is the short URL.
 */
export const NAMES: Partial<Record<ImportField, string[]>> = {
  originalUrl: names(`
    original url, long url, long link, destination url, destination, destination link,
    target url, target, redirect url, redirect to, original link, original, full url, ziel,
    ziel-url, url de destino, destino, url longue, url larga, lange url, url, link, href, uri,
    website, web address, ${NEW_PLACES.join()}
  `),
  shortUrl: names(`
    short url, short link, shortened url, shortened link, short, tiny url, bitlink,
    custom short url, custom short link, custom url, custom link, branded link, kurz-url, kurzlink,
    url courte, lien court, url corta, enlace corto, 短縮url, link, url, ${OLD_PLACES.join()}
  `),
  alias: names(`
    alias, slug, keyword, short code, short id, custom alias, custom slug, custom keyword,
    ${OLD_PLACES.join()}, back-half, back half, slashtag, vanity, vanity url, vanity path, row key, code, key, path,
    hash, name, id
  `),
  domain: names('domain, host, short domain, domain name'),
  label: names(`
    label, name, private title, internal name, notes, note, private notes, private note,
    internal notes, internal note, comment, comments, remark, remarks, memo, annotation, notiz,
    notizen, anmerkung, anmerkungen, bemerkung, bemerkungen, kommentar, kommentare, remarque,
    remarques, commentaire, commentaires, nota, notas, comentario, comentarios, observaciones,
    メモ, 備考, コメント, ملاحظة, ملاحظات, تعليق, تعليقات
  `),
  title: names('title, link title, titel, titre, título'),
  description: names('description, beschreibung, descripción, 説明, وصف'),
  tags: names(`
    tags, tag, labels, folder, category, categories, collection, schlagwörter, étiquettes, etiquetas
  `),
  created: names(`
    created, created at, created on, date created, creation date, created date, date added,
    timestamp, added, added at, added on, time added, saved at, saved on, saved date, date saved, erstellt, erstellt am, date de création, créé le, fecha de creación, creado, fecha,
    date
  `),
  modified: names('modified, updated at, modified at, last modified, updated'),
  startsAt: names(`
    starts at, start date, start, valid since, valid from, active from, scheduled at, publish at,
    publish date, schedule, start time, available from, not before, startdatum, gültig ab,
    date de début, fecha de inicio, válido desde
  `),
  expiresAt: names(`
    expires at, expires, expiry, expiration, expiration date, expiry date, expire in, expires on,
    expired at, expiry time, valid until, valid to, end date, ends at, active until, läuft ab,
    expire at, expiration at, expiration time, valid till, available until, not after, end time,
    ablaufdatum, gültig bis, enddatum, date d'expiration, expire le, date de fin,
    fecha de caducidad, caduca, válido hasta, fecha de fin, 有効期限, تاريخ الانتهاء
  `),
  maxVisits: names(`
    max visits, max clicks, click limit, clicks limit, visit limit, max hits, limit, max uses,
    usage limit, max klicks, klick-limit, limite de clics, límite de clics
  `),
  visitsLeft: names(`
    uses left, visits left, clicks left, remaining uses, remaining visits, remaining clicks,
    uses remaining, visits remaining, clicks remaining, verbleibende klicks, clics restants,
    clics restantes, 残りクリック数
  `),
  hits: names(
    'hits, clicks, visits, total clicks, visit count, click count, views, klicks, clics, zugriffe, aufrufe',
  ),
  isActive: names(`
    is active, active, enabled, is enabled, aktiv, aktiviert, actif, activé, activo, activado,
    habilitado, 有効, نشط
  `),
  paused: names(`
    paused, is paused, disabled, is disabled, disabled at, inactive, banned, blocked, is banned,
    deactivated, locked, pausiert, deaktiviert, gesperrt, désactivé, inactif, en pause, desactivado,
    deshabilitado, inactivo, pausado, 無効, معطل
  `),
  status: names('status, state, statut, estado, zustand, ステータス, الحالة'),
  password: names(`
    password, has password, password protected, is password protected, protected, password hash,
    passwort, kennwort, contraseña, mot de passe, secret, secret key, passcode, access code, pwd
  `),
  isDeleted: names('is deleted, deleted, deleted at'),
  goneUrl: names('expired url, expiration url, fallback url'),
};

/** Several columns add up, or all say something. */
export const SEVERAL = new Set<ImportField>([
  ...(['tags', 'rules', 'card', 'isActive', 'paused', 'status'] as const),
  ...(['password', 'hasPassword', 'passwordHash', 'isDeleted'] as const),
]);

const anyOf = (text: string) => names(text).join('|');

/** Columns that limit, time or end links. English, German, French, Spanish, Japanese, Arabic. */
const LIMITING = anyOf(`
  disabl, paus, inactiv, banned, block(ed|list), suspend, deactiv, draft, trash, spam, abuse, sperr, d[eé]sactiv, deaktiv, 無効, 停止, معطل, موقوف
  expir, valid[uft], valids, schedul, embargo, ablauf, gültig, caduc, vencim, p[eé]rim, 有効期限, 公開期間, انتهاء, صلاحية
  l[ií]mit, max\\.?[vchuk], onetime, onlyonce, singleuse, einmal, restrict, quota, 制限, 上限, حد(ال)?أقصى
  burn, selfdestruct, destroyafter, afterread, archiv, アーカイブ, أرشيف, أرشفة, nachlesen, autodestr, brûl, 閲覧後
  ^ttl$
`);

/** Columns that say who may open a link. */
const GUARDING = anyOf(`
  pass(word|code|phrase|wort|key), protect, schutz, geschützt, proteg, protég, secret, geheim, contrase, motdepasse, パスワード, 保護, كلمة(ال)?مرور, حماية, محمي
  ^pin$, pincode, ^otp$, 2fa, ^mfa, captcha, ^(is)?locked, gesperrt, verrouill, bloque, zugangscode, zugriff(?!e$|szahl), zugang, codeacc, 暗証番号, رمز(ال)?(دخول|مرور)
  privat, privé, privad, confiden, vertraulich, intern(al|e|o|a)?$, hidden, versteckt, caché, ocult, 非公開, 内部, خاص, ^سري, مخفي
  login, signin, ^sso, auth(?!or), authori[sz], anmeldung, connexion, inicio(de)?sesi[oó]n, ログイン, 認証, (تسجيل)?(ال)?دخول, مصادقة
  (?<!last)access(?!ed|es$|count|time|at$), acc[eè]s(?!s|os$), berechtig, permi(ss|t), permis(?!ssion), autoris, autoriz, erlaubt, zugelassen, 権限, 許可, アクセス(?!数), صلاحيات, مسموح, إذن
  allow, whitelist, blacklist, deny, denied, only(for|to|from)?$, exclusive, nurfür, réservé, reservad, 限定, فقط, مقصور
  ^members?$, memberonly, membersonly, mitglieder, membres?$, miembros, 会員, أعضاء
  ^ro(le|lle|l|les|llen)s?$, requiredrole, audience, zielgruppe, destinataires, destinatarios, recipients?$, empfänger
  agegate, agelimit, ^age(min|check|verif), minage, altersprüf, consent, geofenc, geoblock, ^iprange
`);

/** Columns that say that a link is open to others, or works. */
const OPENING = anyOf(`
  ^(is|link)?public(ly|access|link)?$, ^öffentlich, publi(que|é|ée)$, ^p[uú]blic[oa]$, ^公開$, 公開(設定|範囲), ^عام(ة)?$, ^(is)?published$, veröffentlicht, publicad[oa]$
  visib, sichtbar, ^(is)?shared$, ^(is)?geteilt$, ^partag[eé], ^compartid, ^(共有|表示)(設定|範囲)?$, مشترك, ظاهر, مرئي
  ^(is)?(un)?listed$, ^(is)?(link)?enabled, ^(is|link)?active$, ^(is)?live$, ^(is)?open$, ^(is)?available$, verfügbar, disponible, shar(ing|emode)
`);

/** Columns whose value is one of several states. */
const STATE = anyOf(
  'status$, ^status, state$, zustand, [eé]tat$, statut, estado, ステータス, 状態, 状況, حالة',
);

/** How many visits are left: none ends the link. */
const REMAINING = anyOf(`
  remaining, (use|visit|click|hit|view|opening|redirect)s?left, ^left$, restliche, verbleib, übrig, restant, quedan, 残り, 残, متبق
`);

/** What counts visits, such as "Lifetime clicks". */
const COUNTS = /(click|klick|clic|visit|hit|view|besuch|aufruf|visite|クリック|訪問|نقر|زيار)/;

/** What closes a link, whatever its column is called. */
const CLOSED = new Set(
  names(`
    private, privat, privé, privée, privado, privada, 非公開, プライベート, خاص, خاصة
    restricted, eingeschränkt, restreint, restreinte, restringido, restringida, 制限付き, 制限, مقيد, مقيدة
    protected, password protected, geschützt, passwortgeschützt, protégé, protégée, protegido, protegida, 保護, محمي, محمية
    members only, members, only members, nur mitglieder, nur für mitglieder, membres uniquement, réservé aux membres, solo miembros, 会員限定, メンバー限定, للأعضاء فقط
    login required, sign-in required, authenticated, authenticated only, anmeldung erforderlich, connexion requise, inicio de sesión requerido, ログイン必須, 要ログイン, تسجيل الدخول مطلوب
    internal, internal only, team only, only me, nur ich, nur intern, intern, moi uniquement, solo yo, 自分のみ, 社内, 内部, أنا فقط, داخلي
    confidential, vertraulich, confidentiel, confidencial, 機密, سري
    archived, archiviert, archivé, archivée, archivado, archivada, アーカイブ, アーカイブ済み, مؤرشف
    disabled, inactive, deactivated, paused, suspended, banned, blocked, locked, draft, trashed, expired, unpublished, revoked, quarantined, closed
    deaktiviert, inaktiv, pausiert, gesperrt, entwurf, abgelaufen, geschlossen
    désactivé, désactivée, inactif, inactive, suspendu, suspendue, bloqué, bloquée, brouillon, expiré, expirée, fermé
    desactivado, desactivada, inactivo, inactiva, suspendido, bloqueado, bloqueada, borrador, caducado, caducada, vencido, cerrado
    無効, 停止, 停止中, 下書き, 期限切れ, ロック, معطل, معطلة, موقوف, محظور, مسودة, منتهي, منتهية, مغلق
  `).map(foldCell),
);

/** What says that everybody may open a link. */
const OPEN = new Set(
  names(`
    none, never, unlimited, no limit, infinite, ∞, -1, n/a, -, *, all, any, anyone, anybody, everyone, everybody, world, public, open, unlisted, visible, shared, link, anonymous, 0.0.0.0/0, ::/0, [], {}, "", default
    keine, keiner, kein, niemals, nie, unbegrenzt, alle, jeder, öffentlich, offen, sichtbar
    aucun, aucune, jamais, illimité, tous, tout le monde, public, publique, ouvert, visible
    ninguno, ninguna, nunca, ilimitado, todos, cualquiera, público, pública, abierto, visible
    なし, 無制限, 全員, すべて, 公開, 一般公開, لا شيء, أبدا, غير محدود, الجميع, الكل, عام, عامة
  `).map(foldCell),
);

const limiting = new RegExp(`${LIMITING}|${GUARDING}|^(?!.*${COUNTS.source}).*lifetime`);
const opening = new RegExp(OPENING);
const state = new RegExp(STATE);
const remaining = new RegExp(REMAINING);

export const isOldPlace = isOneOf(OLD_PLACES);
export const isNewPlace = isOneOf(NEW_PLACES);
/** Of two columns with such a field, one is read, and the other must not be lost. */
const isLimit = isOneOf(
  (['startsAt', 'expiresAt', 'maxVisits', 'visitsLeft'] as const).flatMap(
    (field) => NAMES[field] ?? [],
  ),
);

function isOneOf(all: string[]): (name: string) => boolean {
  const normalized = new Set(all.map(normalizeName));
  return (name) => normalized.has(name);
}

export type AccessColumn = 'closing' | 'opening' | 'state' | 'remaining';

/**
 * What a column that nothing else explains says of who may open a link, by its name. A link does not lose it without
 * a word.
 *
 * @param name as `normalizeName` returns it
 */
export function accessColumn(name: string): AccessColumn | undefined {
  if (isLimit(name)) return 'closing';
  if (remaining.test(name)) return 'remaining';
  if (limiting.test(name)) return 'closing';
  if (opening.test(name)) return 'opening';
  return state.test(name) ? 'state' : undefined;
}

/** Whether a value keeps anybody from opening the link, or may do so. @param column undefined for any other column */
export function closesLink(value: unknown, column: AccessColumn | undefined): boolean {
  if (isNothing(value) || isEmpty(value)) return false;
  const text = foldCell(value);
  if (column === undefined) return CLOSED.has(text);
  if (OPEN.has(text)) return false;
  if (column === 'remaining') return true;
  const flag = readBoolean(value);
  if (column === 'opening') return flag !== true && readActive(value) !== true;
  return flag !== false && Number(text) !== 0 && !(column === 'state' && readActive(value));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Returns the columns of a file that tell its format, as the file writes them. */
export function signsOf({ signs }: Format, columns: string[]): string[] {
  const byName = new Map(columns.map((column) => [normalizeName(column), column]));
  const found = signs
    .map((sign) => names(sign).map((name) => byName.get(normalizeName(name))))
    .find((each) => each.every((name) => name !== undefined));
  return (found as string[] | undefined) ?? [];
}

/** Returns the service that has the most of the columns, of those with all the signs of it; else `csv`. */
export function serviceOf(columns: string[]): ImportSource {
  const found = new Set(columns.map(normalizeName));
  const ranked = IMPORT_SOURCES.flatMap((source) => {
    const format = FORMATS[source];
    if (!format || source === 'curt' || source === 'bookmarks') return [];
    const known = [...columnsOf(format).keys()].filter((name) => found.has(normalizeName(name)));
    return signsOf(format, columns).length > 0 ? [{ source, known: known.length }] : [];
  });
  ranked.sort((one, other) => other.known - one.known);
  return ranked[0]?.source ?? 'csv';
}
