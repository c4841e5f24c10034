import { describe, expect, test } from 'vitest';
import { toDimensions } from '../../../../server/store/statistics/series.ts';
import { StoreUnavailableError } from '../../../../server/store/store.ts';
import type { Dimension, VisitsOfHour } from '../../../../server/store/visits.ts';
import { VisitRecorder } from '../../../../server/visits/visit-recorder.ts';
import { talliesOf, tally } from '../../../store/contract.ts';
import { ManualTime, START as NOON } from '../../../support/manual-time.ts';

/** A recorder that stores into a list, or fails. */
function newRecorder() {
  const stored: VisitsOfHour[] = [];
  const errors: unknown[] = [];
  const state = { fails: false, refused: '' };
  const time = new ManualTime();
  const recorder = new VisitRecorder({
    store: {
      addVisits: async (visits) => {
        if (state.fails) throw new StoreUnavailableError('no space');
        if (visits.some(({ linkId }) => linkId === state.refused)) throw new Error('no number');
        stored.push(...visits);
      },
    },
    countryHeader: 'x-country',
    trustProxy: ['127.0.0.1'],
    time,
    randomBytes: (size) => Buffer.alloc(size, 7),
    onError: (error) => errors.push(error),
  });
  return { recorder, stored, errors, state, time };
}

function visitFrom(referer: string, client = '192.0.2.1') {
  const networks = [] as const;
  return { headers: { referer }, sender: '127.0.0.1', address: { client, networks } };
}

const dimensionOf = (visits: VisitsOfHour | undefined, name: Dimension) =>
  toDimensions(visits?.tallies ?? new Map())[name];
const peopleIn = (visits: VisitsOfHour[]) => visits.reduce((sum, { people }) => sum + people, 0);

describe('the visit recorder', () => {
  test('loses no visit, however many come at once', async () => {
    const { recorder, stored } = newRecorder();
    const links = Array.from({ length: 7 }, (_, index) => `link-${index}`);
    for (let visit = 0; visit < 30_000; visit++) {
      recorder.record(links[visit % 7] as string, 'people', visitFrom('', `${visit % 1000}`));
    }
    await recorder.close();
    expect(peopleIn(stored)).toBe(30_000);
    expect(stored).toHaveLength(7);
  });

  test('adds up visits by link and hour, and stores them within a second', async () => {
    const { recorder, stored, time } = newRecorder();
    recorder.record('a', 'people', visitFrom('https://one.example/'));
    recorder.record('a', 'people', visitFrom('https://one.example/'));
    recorder.record('a', 'bots', visitFrom(''));
    recorder.record('b', 'previews', visitFrom(''));
    time.setClock(NOON + 3_600_000);
    recorder.record('a', 'people', visitFrom('', '192.0.2.2'));
    await time.advance(1000);
    expect(stored).toHaveLength(3);
    const none = { people: 0, uniquePeople: 0, previews: 0, bots: 0 };
    expect(stored).toMatchObject([
      {
        ...{ linkId: 'a', hour: NOON, people: 2, uniquePeople: 1, previews: 0, bots: 1 },
        tallies: talliesOf({
          referrers: tally({ 'one.example': 2 }),
          browsers: tally({ unknown: 2 }),
          systems: tally({ unknown: 2 }),
          devices: tally({ other: 2 }),
          countries: tally({ unknown: 2 }),
        }),
      },
      { ...none, linkId: 'b', hour: NOON, previews: 1, tallies: new Map() },
      {
        ...{ ...none, linkId: 'a', hour: NOON + 3_600_000, people: 1, uniquePeople: 1 },
        tallies: expect.objectContaining({ size: 5 }),
      },
    ]);
    await recorder.close();
    expect(stored).toHaveLength(3);
  });

  test('adds up people who take turns, however many kinds there are', async () => {
    const { recorder, stored } = newRecorder();
    const link = 'a';
    const KINDS = 40;
    for (let visit = 0; visit < 5 * KINDS; visit++) {
      const kind = visit % KINDS;
      const times = kind === 0 ? 2 : 1;
      for (let time = 0; time < times; time++) {
        recorder.record(link, 'people', visitFrom(`https://${kind}.example/`));
      }
    }
    await recorder.close();
    expect(stored).toHaveLength(1);
    const expected = Array.from(
      { length: KINDS },
      (_, kind) => [`${kind}.example`, kind === 0 ? 10 : 5] as const,
    );
    expect(dimensionOf(stored[0], 'referrers')).toEqual(new Map(expected));
    expect(dimensionOf(stored[0], 'browsers')).toEqual(tally({ unknown: 5 * KINDS + 5 }));
  });

  test('tells people in a row apart who differ in one thing', async () => {
    const { recorder, stored } = newRecorder();
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    for (const headers of [{ 'user-agent': firefox }, { 'x-country': 'DE' }]) {
      for (const each of [{}, headers, {}]) {
        recorder.record('a', 'people', { ...visitFrom(''), headers: each });
      }
    }
    await recorder.close();
    expect(dimensionOf(stored[0], 'browsers')).toEqual(tally({ unknown: 5, Firefox: 1 }));
    expect(dimensionOf(stored[0], 'countries')).toEqual(tally({ unknown: 5, DE: 1 }));
  });

  test('counts targets of links with rules, and costs others nothing', async () => {
    const { recorder, stored } = newRecorder();
    const [split, plain] = ['split', 'plain'];
    for (const target of ['https://a.example/', 'https://b.example/', 'https://a.example/']) {
      recorder.record(split, 'people', visitFrom(''), target);
      recorder.record(plain, 'people', visitFrom(''));
    }
    await recorder.close();
    expect(stored.map((each) => dimensionOf(each, 'targets'))).toEqual([
      tally({ 'https://a.example/': 2, 'https://b.example/': 1 }),
      tally({}),
    ]);
  });

  test('starts at zero after it has stored visits', async () => {
    const { recorder, stored, time } = newRecorder();
    const link = 'a';
    for (let round = 1; round <= 2; round++) {
      recorder.record(link, 'people', visitFrom('https://one.example/'));
      await time.advance(1000);
      expect(stored).toHaveLength(round);
    }
    await recorder.close();
    expect(stored.map(({ people }) => people)).toEqual([1, 1]);
    expect(dimensionOf(stored[1], 'referrers')).toEqual(tally({ 'one.example': 1 }));
  });

  test('stores visits later that could not be stored', async () => {
    const { recorder, stored, errors, state, time } = newRecorder();
    state.fails = true;
    recorder.record('a', 'people', visitFrom('https://one.example/'));
    await time.advance(1000);
    expect(errors).toHaveLength(1);
    recorder.record('a', 'people', visitFrom('https://two.example/'));
    state.fails = false;
    await recorder.close();
    expect(peopleIn(stored)).toBe(2);
    expect(dimensionOf(stored.at(-1), 'referrers')).toEqual(
      tally({ 'one.example': 1, 'two.example': 1 }),
    );
  });

  test('drops visits that the store refuses, reports them, and stores all others once', async () => {
    const { recorder, stored, errors, state } = newRecorder();
    state.refused = 'link-1042';
    for (let link = 0; link < 2500; link++) {
      recorder.record(`link-${link}`, 'people', visitFrom(''));
    }
    await recorder.close();
    expect(errors).toMatchObject([{ message: expect.stringContaining('link-1042') }]);
    expect(new Set(stored.map(({ linkId }) => linkId)).size).toBe(2499);
    expect(stored).toHaveLength(2499);
    await recorder.close();
    expect(errors).toHaveLength(1);
  });

  test('counts made-up referrers of a link as others', async () => {
    const { recorder, stored } = newRecorder();
    for (let visit = 0; visit < 3000; visit++) {
      recorder.record('a', 'people', visitFrom(`https://${visit}.example/`));
    }
    await recorder.close();
    const referrers = dimensionOf(stored[0], 'referrers');
    expect(referrers.size).toBeLessThan(1100);
    expect([...referrers.values()].reduce((sum, people) => sum + people, 0)).toBe(3000);
  });
});
