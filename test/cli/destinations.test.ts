import { describe, expect, test } from 'vitest';
import { START } from '../api/support.ts';
import { talliesOf, tally } from '../store/contract.ts';
import { jsonOf, startWithCurt } from './support/curt.ts';

const TARGET = 'https://example.com/app';

async function startWithLink(...options: string[]) {
  const { curt } = await startWithCurt();
  const made = await curt(['shorten', 'example.com', '--alias', 'launch', '--json', ...options]);
  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  const edit = async (...changes: string[]) =>
    jsonOf(await curt(['edit', 'launch', '--json', ...changes])).data;
  return { curt, edit, link: jsonOf(made).data };
}

describe('where the visits of a link go', () => {
  test('can be chosen, changed and removed', async () => {
    const { link, edit } = await startWithLink(
      ...['--rule', `device=phone, system = Chrome OS & language=de-ch → ${TARGET}`],
      ...['--rule', 'query=src=print%26qr,share=30%->example.com/b?a=b->c'],
      ...[
        '--rule',
        'query=src,from=2030-01-01T00:00:00Z,until=2030-02-01T00:00:00+01:00→x.example',
      ],
      ...['--starts-at', '2030-01-31T12:00:00Z', '--gone-url', 'example.com/over'],
      ...['--card-title', 'Sale', '--card-image', 'example.com/sale.png'],
    );
    expect(link).toMatchObject({
      status: 'scheduled',
      rules: [
        { device: 'phone', system: 'Chrome OS', language: 'de-CH', originalUrl: TARGET },
        {
          query: { name: 'src', value: 'print&qr' },
          share: 30,
          originalUrl: 'https://example.com/b?a=b-%3Ec',
        },
        {
          query: { name: 'src' },
          from: '2030-01-01T00:00:00.000Z',
          until: '2030-01-31T23:00:00.000Z',
          originalUrl: 'https://x.example/',
        },
      ],
      startsAt: '2030-01-31T12:00:00.000Z',
      goneUrl: 'https://example.com/over',
      card: { title: 'Sale', imageUrl: 'https://example.com/sale.png' },
    });

    const edited = await edit('--rule', `query=a= → ${TARGET}`, '--card-description', 'Today');
    expect(edited.rules).toEqual([{ query: { name: 'a', value: '' }, originalUrl: TARGET }]);
    expect(edited).toMatchObject({
      goneUrl: 'https://example.com/over',
      card: { title: 'Sale', description: 'Today', imageUrl: 'https://example.com/sale.png' },
    });
    const removed = ['--no-rules', '--no-starts-at', '--no-gone-url', '--no-card'];
    expect(await edit(...removed)).toMatchObject({
      ...{ status: 'active', rules: [], startsAt: null, goneUrl: null, card: null },
    });
  });

  test.each([
    ['device=phone', 'Must be conditions, an arrow and a URL'],
    ['device=phone →', 'Must be conditions, an arrow and a URL'],
    [`→ ${TARGET}`, '"" is not a condition. Use one of device, system, language'],
    [`constructor=x → ${TARGET}`, '"constructor=x" is not a condition.'],
    [`share=half → ${TARGET}`, 'Must be a number.'],
    [`device=phone,device=tablet → ${TARGET}`, 'Names device twice. Use a rule for each.'],
    [`device=fridge → ${TARGET}`, 'rules.0.device: '],
    [`query= → ${TARGET}`, 'rules.0.query.name: '],
    ['share=1 → mailto:x', 'not "mailto:".'],
  ])('cannot be the rule %j, with a reason', async (rule, reason) => {
    const { curt } = await startWithCurt();
    const { exitCode, stderr } = await curt(['shorten', 'example.com', '--rule', rule]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
  });

  test('shows how many people went to each destination', async () => {
    const { curt, store } = await startWithCurt();
    await curt(['shorten', 'example.com', '--alias', 'launch', '--rule', `share=50 → ${TARGET}`]);
    const { id: linkId = '' } = (await store.findLink('launch')) ?? {};
    const targets = tally({ [TARGET]: 2, 'https://example.com/': 1 });
    const counts = { people: 3, uniquePeople: 3, previews: 0, bots: 0 };
    await store.addVisits([{ linkId, hour: START, ...counts, tallies: talliesOf({ targets }) }]);
    expect((await curt(['stats', 'launch'])).stdout).toMatch(
      /^targets +https:\/\/example\.com\/app +2\ntargets +https:\/\/example\.com\/ +1$/m,
    );
    const people = async (tag: string) =>
      jsonOf(await curt(['stats', '--json', '--from', '2026-01-01', '--tag', tag])).data.totals;
    await curt(['edit', 'launch', '--tag', 'Sale']);
    expect(await people('sale')).toMatchObject({ people: 3 });
    expect(await people('other')).toMatchObject({ people: 0 });
    expect((await curt(['stats', 'launch', '--tag', 'sale'])).exitCode).toBe(2);
  });
});
