import { describe, expect, test } from 'vitest';
import { changedLink, fromLinkJson, type Link, type LinkJson } from '../../../server/store/link.ts';
import type {
  LinkChanges,
  LinkConditions,
  LinkPage,
  LinkPageQuery,
  LinkPosition,
} from '../../../server/store/link-calls.ts';
import type { Store } from '../../../server/store/store.ts';
import { LINK_SORTS } from '../../../shared/links/link-list.ts';
import {
  type ExactField,
  eachExactField,
  mapFields,
  type PlainField,
} from '../../../shared/links/plain-fields.ts';
import { valuesOf } from '../../support/field-values.ts';
import { addLink, editOf, inTurn, NOW, newLink, type OpenSubject, targetOf } from '../contract.ts';

/** What an edit can change of a link, apart from its aliases. */
type EditedField = Exclude<keyof LinkChanges, 'alias' | 'previousAliases'>;
type FieldName = EditedField | ExactField;
type Values<Names extends FieldName> = { [K in Names]-?: [one: Link[K], other: Link[K]] };

const URL = 'https://example.com/%_A?q=\\"ü';

/** Two values of each field, of which at least one is not its default. The second text begins with the first. */
export const VALUES: Values<FieldName> = {
  ...mapFields<Values<PlainField>>(valuesOf),
  originalUrl: [URL, `${URL}x`],
  targetUrl: [targetOf(URL).targetUrl, targetOf(`${URL}x`).targetUrl],
  passwordHash: ['$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA', null],
  rules: [
    [
      { device: 'phone', query: { name: 'ref', value: 'ü"' }, originalUrl: 'https://a.example/' },
      { share: 50, language: 'pt-BR', country: 'BR', originalUrl: 'https://b.example/?q=\\' },
    ],
    [],
  ],
  goneUrl: ['https://example.com/gone', null],
  card: [{ title: 'A "title"\u2028', imageUrl: 'https://example.com/card.png' }, null],
  startsAt: [NOW - 1, NOW + 1],
  expiresAt: [NOW + 5, null],
  maxVisits: [7, 70],
  isActive: [false, true],
  deletedAt: [NOW, null],
  importId: ['import-1', 'import-10'],
};
const NAMES = Object.keys(VALUES) as FieldName[];
/** No edit changes the others. */
const EDITED = NAMES.filter((name): name is EditedField => name !== 'importId');

/** The changes that set one value of a field. A target has two fields. */
function changesOf(name: FieldName, which: 0 | 1): LinkChanges {
  if (name === 'originalUrl' || name === 'targetUrl') return targetOf(VALUES.originalUrl[which]);
  return { [name]: VALUES[name][which] };
}

/** A link with one of the values of each field. */
export function everyField(which: 0 | 1): LinkChanges & Pick<Link, 'originalUrl' | 'targetUrl'> {
  return Object.assign({}, ...NAMES.map((name) => changesOf(name, which)));
}

/** What asks for a condition, and the links that it finds. */
type Sample<Value> = { value: NonNullable<Value>; found: string[] };

const exactly = (which: 0 | 1) =>
  eachExactField((name) => VALUES[name][which]) as Partial<LinkJson>;

/** Links that differ in what conditions ask for, each newer than the one before. */
const LINKS: Record<string, Partial<LinkJson>> = {
  exact: exactly(0),
  renamed: { ...exactly(0), previousAliases: ['Before'], isActive: false },
  near: exactly(1),
  folded: { originalUrl: URL.toLowerCase() },
  early: { version: 2, editedAt: NOW + 4 },
  elsewhere: { rules: [{ share: 50, originalUrl: URL }], goneUrl: URL },
  deleted: { deletedAt: NOW },
  imported: { editedAt: NOW + 6 },
  Titled: { title: 'A big Sale', hits: 3, created: NOW + 6 },
  tagged: { tags: ['sale', 'x'], title: 'Big', created: NOW + 6, version: 2, editedAt: NOW + 5 },
  hosted: targetOf('https://Evil.Example:8080/sale'),
  ruled: {
    rules: [{ device: 'phone', originalUrl: 'https://a.evil.example/' }],
    hits: 3,
    version: 9,
    editedAt: NOW + 7,
  },
};
const ALL = Object.keys(LINKS);

/** A condition without a sample does not compile. */
const CONDITIONS: { [K in keyof LinkConditions]-?: Sample<LinkConditions[K]> } = {
  isDeleted: { value: false, found: ALL.filter((alias) => alias !== 'deleted') },
  editedSince: { value: NOW + 5, found: ['tagged', 'ruled'] },
  exceptId: { value: 'id-tagged', found: ALL.filter((alias) => alias !== 'tagged') },
  search: { value: 'sale BIG', found: ['Titled', 'tagged'] },
  tag: { value: 'SALE', found: ['tagged'] },
  host: { value: 'evil.example', found: ['hosted', 'ruled'] },
  matches: { value: ({ hits }) => hits > 0, found: ['Titled', 'ruled'] },
  ...(eachExactField((name) => ({ value: VALUES[name][0], found: ['exact', 'renamed'] })) as {
    [K in ExactField]: Sample<Link[K]>;
  }),
};

/** None of the conditions, each alone, and each with each other. */
function combinations(): (keyof LinkConditions)[][] {
  const names = Object.keys(CONDITIONS) as (keyof LinkConditions)[];
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other]));
  return [[], ...names.map((name) => [name]), ...pairs];
}

/** The aliases of a list that is read page by page, and its total. */
async function readAll(store: Store, query: Omit<LinkPageQuery, 'limit' | 'after' | 'countUpTo'>) {
  const listed: string[] = [];
  let after: LinkPosition | null = null;
  let total: LinkPage['total'];
  do {
    const page: LinkPage = await store.listLinks({ ...query, limit: 2, countUpTo: 9, after });
    total ??= page.total;
    listed.push(...page.links.map(({ alias }) => alias));
    if (page.next) expect(page.links).toHaveLength(2);
    else if (after) expect(page.links).not.toEqual([]);
    after = page.next;
  } while (after);
  return { listed, total };
}

export function describeEveryField(name: string, open: OpenSubject): void {
  describe(`${name}: every field of a link`, () => {
    test('is found and listed as it was added, by the alias in any letter case', async () => {
      const { store, reopen } = await open();
      const input = newLink('Every-Field', { link: everyField(0) });
      const link = fromLinkJson(input.link.id, { ...input.link, alias: 'Every-Field' });
      expect(await store.addLink(input)).toEqual({ kind: 'added', link, usedInMonth: 1 });
      for (const field of NAMES) expect([field, link[field]]).toEqual([field, VALUES[field][0]]);
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.findLink('eVERY-fIELD')).toEqual(link);
        expect(await subject.findLink('every-fiel')).toBeUndefined();
        const page = await subject.listLinks({ accountId: 'account-1', limit: 9, after: null });
        expect(page.links).toEqual([link]);
      }
    });

    test('is edited alone, changes back, and stays', async () => {
      const { store, reopen } = await open();
      let subject = store;
      const original = await addLink(subject, newLink('one', { link: { aliasIsCustom: false } }));
      let expected = original;
      const edit = async (changes: LinkChanges) => {
        const modified = expected.created + expected.version;
        // Neither deleting nor restoring changes the contents.
        const isDeletion = Object.keys(changes).join() === 'deletedAt';
        const editedAt = isDeletion ? expected.editedAt : modified;
        const later = { editedAt, version: expected.version + 1 };
        expected = changedLink(expected, { ...changes, ...later });
        const outcome = await subject.editLink({ ...editOf(original, changes), modified });
        expect(outcome).toEqual({ kind: 'edited', link: expected });
      };
      for (const which of [0, 1, 0] as const) {
        for (const field of EDITED) await edit(changesOf(field, which));
        subject = await reopen();
        expect(await subject.findLink('one')).toEqual(expected);
        for (const field of EDITED) {
          expect([field, expected[field]]).toEqual([field, VALUES[field][which]]);
        }
      }
      await edit(
        Object.fromEntries(EDITED.map((field) => [field, original[field]])) as LinkChanges,
      );
      const { version, editedAt } = expected;
      expect(expected).toEqual(changedLink(original, { version, editedAt }));
      expect(await (await reopen()).findLink('one')).toEqual(expected);
    });
  });

  test(`${name}: a text that no link can have finds nothing, whatever is asked for`, async () => {
    const { store } = await open();
    await addLink(store, newLink('one', { link: everyField(0) }));
    for (const [condition, { value }] of Object.entries(CONDITIONS)) {
      // The server's own, and hosts, which it has parsed.
      const isFromOutside = typeof value === 'string' && !['exceptId', 'host'].includes(condition);
      if (!isFromOutside) continue;
      const asked = { accountId: 'account-1', [condition]: 'a\0b\ud800' };
      const { listed } = await readAll(store, asked);
      expect([condition, listed]).toEqual([condition, []]);
    }
  });

  test(`${name}: every condition finds and counts its links, alone and with each other, in every order`, async () => {
    const { store, reopen } = await open();
    for (const [index, [alias, link]] of Object.entries(LINKS).entries()) {
      const content = { id: `id-${alias}`, created: NOW + index, ...link };
      await addLink(store, newLink(alias, { link: content }));
    }
    await addLink(store, newLink('other', { link: { ...everyField(0), accountId: 'other' } }));
    for await (const subject of inTurn(store, reopen)) {
      for (const sort of LINK_SORTS) {
        const accountId = 'account-1';
        const { listed: inOrder } = await readAll(subject, { accountId, sort });
        expect(inOrder.toSorted()).toEqual(ALL.toSorted());
        for (const names of combinations()) {
          const asked: LinkConditions = Object.fromEntries(
            names.map((each) => [each, CONDITIONS[each].value]),
          );
          const found = inOrder.filter((alias) =>
            names.every((each) => CONDITIONS[each].found.includes(alias)),
          );
          const total = { count: Math.min(9, found.length), isExact: found.length <= 9 };
          const what = `${sort}: ${names.join(' and ')}`;
          const own = await readAll(subject, { accountId, sort, ...asked });
          expect([what, own]).toEqual([what, { listed: found, total }]);
          if (sort !== 'created') continue;
          const isOwn = ({ alias }: Link) => alias !== 'other';
          const { matches = isOwn } = asked;
          const all = await readAll(subject, {
            ...{ accountId: null, ...asked },
            matches: (link) => isOwn(link) && matches(link),
          });
          expect([what, all]).toEqual([what, { listed: found, total }]);
        }
      }
    }
  });
}
