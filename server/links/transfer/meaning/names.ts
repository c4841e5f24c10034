import type { ImportField } from '../../../../shared/links/transfer.ts';

export const list = (text: string) => text.split(',').map((name) => name.trim());

/** What redirects are from and to, if paths or URLs are there. Elsewhere, `from` can be a date, and `source` a campaign. */
export const OLD_PLACES = list('source, source url, from, origin, old, old url, request');
export const NEW_PLACES = list('to, new, new url');

/**
 * What columns of any other table mean, most certain first. A name can be in several lists: `url` is the target
 * unless another column is, and then it is the short URL.
 */
export const NAMES: Partial<Record<ImportField, string[]>> = {
  originalUrl: list(`
    original url, long url, long link, destination url, destination, destination link,
    target url, target, redirect url, redirect to, original link, original, full url, ziel,
    ziel-url, url de destino, destino, url longue, url larga, lange url, url, link, href, uri,
    website, web address, ${NEW_PLACES.join()}
  `),
  shortUrl: list(`
    short url, short link, shortened url, shortened link, short, tiny url, bitlink,
    custom short url, custom short link, custom url, custom link, branded link, kurz-url, kurzlink,
    url courte, lien court, url corta, enlace corto, 短縮url, link, url, ${OLD_PLACES.join()}
  `),
  alias: list(`
    alias, slug, keyword, short code, short id, custom alias, custom slug, custom keyword,
    ${OLD_PLACES.join()}, back-half, back half, slashtag, vanity, vanity url, vanity path, row key, code, key, path,
    hash, name, id
  `),
  domain: list('domain, host, short domain, domain name'),
  label: list(`
    label, name, private title, internal name, notes, note, private notes, private note,
    internal notes, internal note, comment, comments, remark, remarks, memo, annotation, notiz,
    notizen, anmerkung, anmerkungen, bemerkung, bemerkungen, kommentar, kommentare, remarque,
    remarques, commentaire, commentaires, nota, notas, comentario, comentarios, observaciones,
    メモ, 備考, コメント, ملاحظة, ملاحظات, تعليق, تعليقات
  `),
  title: list('title, link title, titel, titre, título'),
  description: list('description, beschreibung, descripción, 説明, وصف'),
  tags: list(`
    tags, tag, labels, folder, category, categories, collection, schlagwörter, étiquettes, etiquetas
  `),
  created: list(`
    created, created at, created on, date created, creation date, created date, date added,
    timestamp, erstellt, erstellt am, date de création, créé le, fecha de creación, creado, fecha,
    date
  `),
  modified: list('modified, updated at, modified at, last modified, updated'),
  startsAt: list(`
    starts at, start date, start, valid since, valid from, active from, scheduled at, publish at,
    publish date, schedule, start time, available from, not before, startdatum, gültig ab,
    date de début, fecha de inicio, válido desde
  `),
  expiresAt: list(`
    expires at, expires, expiry, expiration, expiration date, expiry date, expire in, expires on,
    expired at, expiry time, valid until, valid to, end date, ends at, active until, läuft ab,
    expire at, expiration at, expiration time, valid till, available until, not after, end time,
    ablaufdatum, gültig bis, enddatum, date d'expiration, expire le, date de fin,
    fecha de caducidad, caduca, válido hasta, fecha de fin, 有効期限, تاريخ الانتهاء
  `),
  maxVisits: list(`
    max visits, max clicks, click limit, clicks limit, visit limit, max hits, limit, max uses,
    usage limit, max klicks, klick-limit, limite de clics, límite de clics
  `),
  visitsLeft: list(`
    uses left, visits left, clicks left, remaining uses, remaining visits, remaining clicks,
    uses remaining, visits remaining, clicks remaining, verbleibende klicks, clics restants,
    clics restantes, 残りクリック数
  `),
  hits: list(
    'hits, clicks, visits, total clicks, visit count, click count, views, klicks, clics, zugriffe, aufrufe',
  ),
  isActive: list(`
    is active, active, enabled, is enabled, aktiv, aktiviert, actif, activé, activo, activado,
    habilitado, 有効, نشط
  `),
  paused: list(`
    paused, is paused, disabled, is disabled, disabled at, inactive, banned, blocked, is banned,
    deactivated, locked, pausiert, deaktiviert, gesperrt, désactivé, inactif, en pause, desactivado,
    deshabilitado, inactivo, pausado, 無効, معطل
  `),
  status: list('status, state, statut, estado, zustand, ステータス, الحالة'),
  password: list(`
    password, has password, password protected, is password protected, protected, password hash,
    passwort, kennwort, contraseña, mot de passe, secret, secret key, passcode, access code, pwd
  `),
  isDeleted: list('is deleted, deleted, deleted at'),
  goneUrl: list('expired url, expiration url, fallback url'),
};

export function normalizeName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_?:-]/g, '');
}
