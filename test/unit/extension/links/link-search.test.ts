import { expect, test } from 'vitest';
import { makeSearchable, searchLinks } from '../../../../extension/links/link-search.ts';
import { aLink } from '../support/a-link.ts';

const link = (title: string, originalUrl: string, shortUrl = 'https://curt.example/k7f') =>
  aLink({ title, originalUrl, shortUrl });

const LINK = link('Crème Brûlée – Rezept', 'https://example.com/kochen?seite=%C3%84pfel');

test.each([
  ['', true],
  ['   ', true],
  ['creme', true],
  ['BRULEE rezept', true],
  ['rezept crème', true],
  ['example.com/kochen', true],
  ['K7F', true],
  ['Äpfel', true],
  ['apfel', true],
  ['%C3%84pfel', true],
  ['ｒｅｚｅｐｔ', true],
  ['creme suppe', false],
  ['cremebrulee', false],
])('a search for %j finds the recipe: %s', (words, isFound) => {
  expect(searchLinks([makeSearchable(LINK)], words)).toEqual(isFound ? [LINK] : []);
});

test('the short URL of a link finds that link alone', () => {
  const other = link('k7f', 'https://example.com', 'https://curt.example/k7f-2');
  const links = [LINK, other].map(makeSearchable);
  for (const words of ['curt.example/K7F', 'https://curt.example/k7f+', '(curt.example/k7f).']) {
    expect(searchLinks(links, words)).toEqual([LINK]);
  }
});

test('a URL with invalid percent-encoding is searched unchanged', () => {
  const odd = link('', 'https://example.com/100%25-%E0%A4%A');
  expect(searchLinks([makeSearchable(odd)], '100%25')).toEqual([odd]);
});

test('results keep their order', () => {
  const links = ['b', 'a', 'c'].map((title) => link(`${title} page`, 'https://example.com/'));
  expect(searchLinks(links.map(makeSearchable), 'page')).toEqual(links);
});

test.each([
  ['its tags', 'spring launch'],
  ['a previous alias', 'earlier'],
  ['the target of a rule', 'phones.example'],
  ['its fallback', 'gone.example'],
])('a link is found by %s, as on its server', (_, words) => {
  const link = aLink({
    tags: ['Spring', 'launch'],
    previousAliases: ['earlier'],
    rules: [{ device: 'phone' as const, originalUrl: 'https://phones.example/' }],
    goneUrl: 'https://gone.example/',
  });
  const links = [aLink(), link];
  expect(searchLinks(links.map(makeSearchable), words)).toEqual([links[1]]);
});
