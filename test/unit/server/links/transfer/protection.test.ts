import { expect, test } from 'vitest';
import { columnsOf, FORMATS, names } from '../../../../../server/links/transfer/meaning/formats.ts';
import { normalizeName } from '../../../../../server/links/transfer/reading/file-table.ts';
import { readAll } from './support.ts';

const TARGET = 'https://long.example/page';
const CELLS = new Map([
  ['originalUrl', TARGET],
  ['shortUrl', 'https://s.example/abc'],
  ['alias', 'abc'],
]);

const PROTECTED = {
  paused: 'true',
  isDisabled: true,
  disabledAt: '2024-01-01T00:00:00Z',
  enabled: false,
  isActive: '0',
  state: 'expired',
  password: 'hunter2',
  hasPassword: true,
  password_protected: '1',
  'security.password': 'x',
  expires_at: '2020-01-01T00:00:00Z',
  expiration: 1_577_836_800,
  'Expiry date': '2020-01-01',
  expired: 'yes',
  maxVisits: 5,
  max_clicks: '5',
  clicksLimit: 5,
  startsAt: '2030-01-01T00:00:00Z',
  valid_from: '2030-01-01',
  scheduledAt: '2030-01-01',
  suspended: '1',
  banned: 't',
  deletedAt: '2024-01-01',
};

/** The columns by which a format is detected, with a value in each that needs one. */
const files = Object.entries(FORMATS)
  .filter(([source]) => source !== 'bookmarks')
  .flatMap(([source, format]) => {
    const columns = [...columnsOf(format)];
    const known = new Map(columns.map(([name, to]) => [normalizeName(name), to]));
    return format.signs.map((sign) => {
      const row = names(sign).map((name) => {
        const field = known.get(normalizeName(name)) ?? name;
        return [name, CELLS.get(field) ?? ''] as const;
      });
      const hasTarget = row.some(([, cell]) => cell === TARGET);
      return [
        source,
        Object.fromEntries(hasTarget ? row : [...row, ['long_url', TARGET]]),
      ] as const;
    });
  });

test.each(files)('%s with %j: no column that protects a link is lost', async (source, row) => {
  const plain = await readAll(JSON.stringify([row]));
  expect(plain.about.source).toBe(source);
  expect(plain.rows).toMatchObject([{ link: { isActive: true } }]);
  const open: string[] = [];
  for (const [index, [name, value]] of Object.entries(PROTECTED).entries()) {
    const whole = { ...row, [name]: value };
    const table = [Object.keys(whole), Object.values(whole)].map((cells) => cells.join(','));
    // As JSON in every other format, and as a table in the others.
    const isJson = (index + JSON.stringify(row).length) % 2 === 0;
    const file = isJson ? JSON.stringify([whole]) : `${table.join('\n')}\n`;
    const { rows } = await readAll(file);
    const link = rows[0]?.link;
    const isProtected = !link?.isActive || link.expiresAt || link.maxVisits || link.startsAt;
    if (!isProtected) open.push(file);
  }
  expect(open).toEqual([]);
});

/** What tables say of whether a link works: names, then values with which it does not, then values with which it does. */
const STATES: [names: string, closed: string, open: string][] = [
  [
    'active|enabled|is_active|isActive|Actif|Activé|Active\u0301|Habilitado|有効|نشط|Enabled?',
    'FALSCH|FAUX|non|no|f|いいえ|لا|inaktiv',
    'yes|VRAI|Actif|aktiv|Activé|Active\u0301',
  ],
  [
    'status|state|Statut|Estado|Zustand|ステータス|الحالة',
    'Expired|scheduled|inactif|pausado|pausiert|無効|معطل',
    'Active|Actif|activo|Sí|oui|1|301|Activada|Activé|Aktiviert|Habilitado',
  ],
  [
    'disabled|Paused|Suspended|Draft|One-time|Locked|Is locked|Gesperrt|Désactivé|desactivado',
    'true|WAHR|yes|ja|oui|sí|1',
    '0|false|nein|no',
  ],
  [
    'password|has_password|password_hash|password_protected|Require passcode|secret_key',
    'secret|$2b$12$abc|sí|1|yes',
    '|no|NULL',
  ],
  ['Contraseña del enlace|パスワード|كلمة المرور|Zugangscode', 'x', ''],
  ['Geo-restricted|Trashed at|scheduled for', 'CH|2024-01-01|Monday', 'no'],
  ['Available from|Not before|Date de début', '2031-01-01', ''],
  ['Available until|Enddatum|Válido hasta', '2020-01-01|31.12.2020', ''],
  ['Max. Klicks|Límite de clics|TTL|Lifetime', '3600', ''],
  ['Lifetime clicks|Visits (lifetime)|Unlocked', '', '1'],
];

/** Each with each other would be thousands of tables. */
function pairs(names: string, values: string): [name: string, value: string][] {
  const [columns, cells] = [names.split('|'), values.split('|')];
  return Array.from({ length: Math.max(columns.length, cells.length) }, (_, index) => [
    columns[index % columns.length] ?? '',
    cells[index % cells.length] ?? '',
  ]);
}

test.each(STATES)(
  'a table whose %s say %s does not open the link, and with %s does',
  async (names, closed, open) => {
    const wrong: string[] = [];
    for (const [name, value] of closed ? pairs(names, closed) : []) {
      const { rows } = await readAll(`url;alias;${name}\n${TARGET};abc;${value}\n`);
      const { isActive, expiresAt, maxVisits, startsAt } = rows[0]?.link ?? {};
      if (isActive && !expiresAt && !maxVisits && !startsAt) wrong.push(`${name}: ${value}`);
    }
    for (const [name, value] of pairs(names, open)) {
      const { rows } = await readAll(`url;alias;${name}\n${TARGET};abc;${value}\n`);
      if (!rows[0]?.link?.isActive || rows[0].issues.length > 0) wrong.push(`${name}: ${value}`);
    }
    expect(wrong).toEqual([]);
  },
);

test('a link that Sink warns of is paused', async () => {
  const link = { slug: 'abc', url: TARGET, createdAt: 1735689600, updatedAt: 1735689600 };
  const file = JSON.stringify({ links: [{ ...link, unsafe: true }, link] });
  const { rows } = await readAll(file);
  expect(rows.map((row) => row.link?.isActive)).toEqual([false, true]);
});

test.each([
  ['Expires at', 'End date', '2020-01-01'],
  ['Starts at', 'Publish date', '2031-01-01'],
  ['Max clicks', 'Max uses', '5'],
  ['Active?', 'Active', 'no'],
  ['Active', 'Active?', 'no'],
])('of %s and %s, an empty one does not hide the other', async (empty, name, value) => {
  for (const header of [`${empty};${name}`, `${name};${empty}`]) {
    const cells = header.startsWith(`${empty};`) ? `;${value}` : `${value};`;
    const { rows } = await readAll(`url;alias;${header}\n${TARGET};abc;${cells}\n`);
    const { isActive, expiresAt, maxVisits, startsAt } = rows[0]?.link ?? {};
    expect(!isActive || expiresAt || maxVisits || startsAt).toBeTruthy();
  }
});

test('Active and Active? can both say that a link is active', async () => {
  const { rows } = await readAll(`url;alias;Active;Active?\n${TARGET};abc;yes;yes\n`);
  expect(rows).toMatchObject([{ link: { isActive: true }, issues: [] }]);
});

test.each([
  ...['20310101', '30', '46053.5', '46053.5208333333', '20310131.0'],
  ...['203101311200', '20310131120000'],
])('%s is no time at which a link starts or expires', async (value) => {
  const { rows } = await readAll(`url,starts at,expires at\n${TARGET},${value},${value}\n`);
  expect(rows[0]?.issues.map(({ field }) => field)).toEqual(['starts at', 'expires at']);
});

test.each([
  ['0', null],
  ['1956528000', Date.UTC(2032, 0, 1)],
  ['1956528000.0', Date.UTC(2032, 0, 1)],
  ['1956528000000', Date.UTC(2032, 0, 1)],
  ['31.12.1999', Date.UTC(1999, 11, 31)],
])('%s is a time at which a link starts or expires', async (value, time) => {
  const { rows } = await readAll(`url,starts at,expires at\n${TARGET},${value},\n`);
  expect(rows[0]?.link?.startsAt).toBe(time);
});

/** What tables say of who may open a link: names, then values that close it, then values that do not. */
const ACCESS: [names: string, closed: string, open: string][] = [
  ['visibility|Sichtbarkeit|Visibilité|Visibilidad', 'PRIVATE|WORKSPACE|nur ich', 'public|PUBLIC|'],
  ['公開設定|公開範囲', '非公開|自分のみ|会員限定', '公開|全員'],
  [
    'is_private|Privat|Privé|Privado|非公開|خاص',
    'true|1|yes|ja|oui|sí|はい|نعم',
    'false|0|no|いいえ|لا',
  ],
  ['is_public|Öffentlich|Publique|Público|عام', 'false|0|nein|non|no|لا', 'true|yes|ja|oui|sí|نعم'],
  [
    'requires_login|Login required|Anmeldung nötig|Connexion requise|ログイン必須|تسجيل الدخول',
    '1|yes|SSO',
    '0|no',
  ],
  [
    'allowed_ips|IP whitelist|allowlist|Erlaubte IPs|IP autorisées|IP autorizadas|許可IP',
    '10.0.0.0/8',
    '0.0.0.0/0|[]|*',
  ],
  [
    'allowed_emails|Permitted users|Zugelassene Personen|Personnes autorisées',
    'a@b.example|["a"]',
    '[]|all',
  ],
  [
    'burn_after_reading|Self-destruct|Nach Lesen löschen|Autodestrucción|閲覧後削除',
    '1|true',
    '0|false',
  ],
  [
    'row_status|Link status|Link-Status|Estado del enlace|リンク状態|حالة الرابط',
    'ARCHIVED|draft|404|停止',
    'NORMAL|active|200|有効|نشط',
  ],
  ['PIN|pin code|PIN-Code|OTP|暗証番号', '1234|0000x', '0|'],
  [
    'remaining|Opens remaining|Verbleibend|Restants|Quedan|残り回数|متبقي',
    '0|3',
    '-1|unlimited|無制限',
  ],
  ['archived|archived_at|Archiviert|Archivé|Archivado|アーカイブ', 'true|2024-01-01', 'false|0'],
  [
    'access|Access level|Zugang|Accès|Acceso|アクセス権限|صلاحيات',
    'team|members|管理者',
    'everyone|all',
  ],
  ['roles|members only|Nur für Mitglieder|Réservé aux|Solo miembros|会員限定', 'admin|yes', 'no'],
  ['Area|Bereich|Zone', 'private|Vertraulich|privé|restringido|非公開|خاص', 'news|42|2024-01-01'],
  ['shared|Geteilt|Partagé|Compartido', 'no|nein|non', 'yes|ja|oui'],
];

test.each(ACCESS)('of %s, %s closes a link, %s does not', async (names, closed, open) => {
  const wrong: string[] = [];
  for (const [cells, isActive] of [
    [closed, false],
    [open, true],
  ] as const) {
    for (const [column, cell] of pairs(names, cells)) {
      const quoted = `"${cell.replaceAll('"', '""')}"`;
      const { rows, about } = await readAll(`url;alias;${column}\n${TARGET};abc;${quoted}\n`);
      const [row] = rows;
      const { notes = [] } = about.columns.find((each) => each.name === column) ?? {};
      const isSaid = row?.issues.some(({ message }) => message.includes('so the link is paused'));
      const isNoted = notes.includes('pauses') || about.columns[2]?.field !== null;
      const isRight = isActive
        ? row?.link?.isActive && row.issues.length === 0
        : row?.link?.isActive === false && isSaid && isNoted;
      if (!isRight) wrong.push(`${column}: ${cell}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('what counts visits, names people or notes something says nothing of access', async () => {
  const row = {
    ...{ url: TARGET, alias: 'abc', author: 'private person', creator_email: 'a@b.example' },
    ...{ Zugriffe: '12', 'Letzter Zugriff': '', last_accessed_at: '2024-01-01', owner: 'team' },
    ...{ 'Access count': 3, accessed: 4, cache_key: 'x', publication: 'Times', shares: 7 },
    ...{ 表示回数: 8, アクセス数: 9, المستخدم: 'x', ip: '192.0.2.1', country: 'DE' },
  };
  const { rows } = await readAll(JSON.stringify([row]));
  expect(rows).toMatchObject([{ link: { isActive: true }, issues: [] }]);
});

test('a column that may close links does not when it is ignored by choice', async () => {
  const file = `url;alias;visibility;Area\n${TARGET};abc;PRIVATE;private\n`;
  const { rows } = await readAll(file, { mapping: { visibility: null, Area: null } });
  expect(rows).toMatchObject([{ link: { isActive: true }, issues: [] }]);
});
