import { foldCell, isNothing, readActive, readBoolean } from './cells.ts';

const words = (text: string) =>
  text
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
const anyOf = (text: string) => words(text).join('|');

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
  words(`
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
  words(`
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

export type AccessColumn = 'closing' | 'opening' | 'state' | 'remaining';

/**
 * What a column that nothing else explains says of who may open a link, by its name. A link does not lose it without
 * a word.
 *
 * @param name as `normalizeName` returns it
 */
export function accessColumn(name: string): AccessColumn | undefined {
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
