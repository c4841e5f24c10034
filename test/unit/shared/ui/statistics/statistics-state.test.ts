import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { StatisticsQuery } from '../../../../../shared/statistics.ts';
import type { StatisticsSource } from '../../../../../shared/ui/statistics/report.ts';
import {
  browserTimeZone,
  otherTimeZones,
} from '../../../../../shared/ui/statistics/state/ranges.ts';
import { createStatisticsState } from '../../../../../shared/ui/statistics/state/statistics-state.ts';
import { ManualTime } from '../../../../support/manual-time.ts';
import { until } from '../../../../support/until.ts';
import { aReport } from './a-report.ts';

const NOON = Date.parse('2026-03-31T12:00:00Z');

type StatisticsOutcome = Awaited<ReturnType<StatisticsSource['read']>>;

/** A state whose requests the test answers, in any order. */
function open() {
  const requests: { query: StatisticsQuery; answer(outcome: StatisticsOutcome): void }[] = [];
  const source = {
    read(query: StatisticsQuery): Promise<StatisticsOutcome> {
      const { promise, resolve } = Promise.withResolvers<StatisticsOutcome>();
      requests.push({ query, answer: resolve });
      return promise;
    },
  };
  const time = new ManualTime(NOON);
  const state = createStatisticsState({ source, name: 'launch', time });
  return { state, requests, time };
}

const TEXTS = { title: 'Not reachable', text: 'Try again.' };
const FAILURE = { ok: false, code: 'unreachable', ...TEXTS } as const;

test('begins with the last 30 days in the time zone of the browser', async () => {
  const { state, requests } = open();
  const loading = state.refresh();
  expect(state.isLoading.value).toBe(true);
  expect(requests[0]?.query).toMatchObject({ unit: 'day', timeZone: browserTimeZone() });
  requests[0]?.answer({ ok: true, data: aReport() });
  await loading;
  expect(state.isLoading.value).toBe(false);
  expect(state.report.value).toEqual(aReport());
});

test('reads the periods before, too, if anybody came in them', async () => {
  const { state, requests } = open();
  const loading = state.refresh();
  const previous = { people: 4, uniquePeople: 5, previews: 0, bots: 0 };
  requests[0]?.answer({ ok: true, data: aReport({ previous }) });
  await loading;
  const query = { unit: 'day', timeZone: 'Europe/Berlin', from: '2026-03-26', to: '2026-03-27' };
  expect(requests[1]?.query).toEqual(query);
  requests[1]?.answer({ ok: true, data: aReport() });
  await until(() => state.before.value !== undefined);
  expect(state.before.value).toEqual([4, 1]);
});

test('shows the answer for the latest choice only', async () => {
  const { state, requests } = open();
  const loading = [state.setTimeZone('UTC'), state.setRange('days7')];
  requests[1]?.answer({ ok: true, data: aReport({ timeZone: 'UTC' }) });
  requests[0]?.answer({ ok: true, data: aReport() });
  await Promise.all(loading);
  expect(requests[1]?.query).toEqual({ unit: 'day', from: '2026-03-25', timeZone: 'UTC' });
  expect(state.report.value?.timeZone).toBe('UTC');
});

test('keeps the report when a later one fails, and says why until one succeeds', async () => {
  const { state, requests } = open();
  const first = state.refresh();
  requests[0]?.answer({ ok: true, data: aReport() });
  await first;
  const second = state.refresh();
  requests[1]?.answer(FAILURE);
  await second;
  expect(state.failure.value).toEqual(FAILURE);
  expect(state.report.value).toEqual(aReport());
  const third = state.refresh();
  requests[2]?.answer({ ok: true, data: aReport() });
  await third;
  expect(state.failure.value).toBeUndefined();
});

test('a custom range begins with the last 30 days and waits for two dates in order', async () => {
  const { state, requests } = open();
  void state.setTimeZone('UTC');
  void state.setRange('custom');
  expect(state.dates.value).toEqual({ from: '2026-03-02', to: '2026-03-31' });
  expect(requests[1]?.query).toMatchObject({ from: '2026-03-02', to: '2026-03-31', unit: 'day' });
  void state.setDates({ to: '2026-03-01' });
  expect(state.areDatesValid.value).toBe(false);
  expect(state.isLoading.value).toBe(false);
  expect(requests).toHaveLength(2);
  void state.setDates({ from: '2026-03-01' });
  expect(state.areDatesValid.value).toBe(true);
  expect(requests[2]?.query).toMatchObject({ from: '2026-03-01', to: '2026-03-01', unit: 'hour' });
  void state.setDates({ from: '2026-04-01', to: '2026-04-01' });
  expect(state.areDatesValid.value).toBe(false);
});

test('shows visits by people alone, or with previews and bots', () => {
  const { state } = open();
  expect(state.shownSeries.value).toEqual(['people']);
  state.showsBots.value = true;
  expect(state.shownSeries.value).toEqual(['people', 'previews', 'bots']);
});

test('can show one period alone', async () => {
  const { state, requests } = open();
  const loading = state.refresh();
  requests[0]?.answer({ ok: true, data: aReport() });
  await loading;
  void state.zoom(1);
  expect(state.range.value).toBe('custom');
  expect(requests[1]?.query).toMatchObject({ from: '2026-03-29', to: '2026-03-29', unit: 'hour' });
});

describe('the current period', () => {
  const current = aReport({ to: '2026-03-31T22:00:00.000Z' });
  const [first, last] = current.series;
  const [, start = ''] = current.series.map((point) => point.start);

  async function openCurrent() {
    const opened = open();
    const loading = opened.state.refresh();
    opened.requests[0]?.answer({ ok: true, data: current });
    await loading;
    return opened;
  }

  test('is read again by itself, and its numbers are added to the totals', async () => {
    const { state, requests } = await openCurrent();
    const updating = state.refreshLatest();
    const { unit, timeZone } = current;
    expect(requests[1]?.query).toEqual({ unit, timeZone, from: start });
    const point = { start, people: 3, uniquePeople: 2, previews: 0, bots: 1 };
    requests[1]?.answer({ ok: true, data: aReport({ series: [point] }) });
    await updating;
    expect(state.report.value?.series).toEqual([first, point]);
    expect(state.report.value?.totals).toEqual({
      ...{ people: 7, uniquePeople: 5, previews: 2, bots: 2 },
    });
  });

  test('is read again every 5 seconds while the page is visible, until it is left', async () => {
    const page = { visibilityState: 'visible' };
    vi.stubGlobal('document', page);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { state, requests, time } = open();
    const stop = state.start();
    requests[0]?.answer({ ok: true, data: current });
    await until(() => !state.isLoading.value);
    void time.advance(4999);
    expect(requests).toHaveLength(1);
    void time.advance(1);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.query.from).toBe(start);
    page.visibilityState = 'hidden';
    void time.advance(20_000);
    expect(requests).toHaveLength(2);
    page.visibilityState = 'visible';
    void time.advance(5000);
    expect(requests).toHaveLength(3);
    stop();
    void time.advance(20_000);
    expect(requests).toHaveLength(3);
  });

  test('that is over lets the whole report be read again', async () => {
    const { state, requests } = await openCurrent();
    void state.refreshLatest();
    requests[1]?.answer({ ok: true, data: aReport() });
    await until(() => state.isLoading.value);
    expect(requests).toHaveLength(3);
    expect(last).toBeDefined();
  });

  test('is read with the whole range if another day has begun, unless the range ended with it', async () => {
    const { state, requests, time } = open();
    const loading = state.setTimeZone('UTC');
    requests[0]?.answer({ ok: true, data: aReport() });
    await loading;
    await state.refreshLatest();
    // Not all the time if the clocks of browser and server differ.
    expect(requests).toHaveLength(1);
    void time.advance(60_000);
    void state.refreshLatest();
    const whole = { unit: 'day', from: '2026-03-02', timeZone: 'UTC' };
    expect(requests[1]?.query).toEqual(whole);
    const custom = state.setRange('custom');
    requests[2]?.answer({ ok: true, data: aReport() });
    await custom;
    await state.refreshLatest();
    expect(requests).toHaveLength(3);
  });

  test('is the hour of now in a range of dates, which goes on to the end of today', async () => {
    const { state, requests, time } = open();
    const before = { people: 0, uniquePeople: 0, previews: 0, bots: 0 };
    const hours = ['11', '12', '13'].map((hour) => `2026-03-31T${hour}:00:00.000Z`);
    const series = hours.map((start) => ({ ...before, start }));
    const today = aReport({ unit: 'hour', to: '2026-04-01T00:00:00.000Z', series });
    const loading = state.setRange('custom');
    requests[0]?.answer({ ok: true, data: today });
    await loading;
    const updating = state.refreshLatest();
    expect(requests[1]?.query).toMatchObject({ unit: 'hour', from: hours[1] });
    const visited = { ...before, people: 1, start: hours[1] as string };
    requests[1]?.answer({ ok: true, data: aReport({ series: [visited] }) });
    await updating;
    expect(state.report.value?.series).toEqual(series.with(1, visited));
    // The visits of the last hour may not all be known.
    void time.advance(3_600_000);
    void state.refreshLatest();
    expect(requests[2]?.query).toEqual(requests[0]?.query);
  });
});

test('lists the browser’s time zone and UTC once', () => {
  const others = otherTimeZones();
  expect(others.length).toBeGreaterThan(300);
  expect(others).not.toContain('UTC');
  expect(others).not.toContain(browserTimeZone());
});
