import { describe, expect, test } from 'vitest';
import { LAG_MAX_MS, LogMarks } from '../../../../../server/store/postgres/replica/log-marks.ts';

const history = 'system/curt/1';

describe('what is known of a standby', () => {
  test('is the newest moment whose place it has reached', () => {
    const marks = new LogMarks();
    marks.add(1000, { history, position: 10 });
    marks.add(1400, { history, position: 20 });
    marks.add(1800, { history, position: 20 });
    expect(marks.timeOf({ history, position: 19 })).toBe(1000);
    expect(marks.timeOf({ history, position: 20 })).toBe(1800);
    expect(marks.timeOf({ history, position: 21 })).toBe(1800);
  });

  test('is nothing if it follows another database, or did not follow a failover', () => {
    const marks = new LogMarks();
    marks.add(1000, { history: 'system/curt/2', position: 10 });
    expect(marks.timeOf({ history, position: 1000 })).toBe(Number.NEGATIVE_INFINITY);
    marks.add(1000 + LAG_MAX_MS, { history: 'system/curt/2', position: 10 });
    expect(marks.timeOf({ history, position: 1000 })).toBeUndefined();
  });

  test('is nothing if it lags too much, or if it is too early to know', () => {
    const marks = new LogMarks();
    expect(marks.timeOf({ history, position: 10 })).toBe(Number.NEGATIVE_INFINITY);
    for (let at = 0; at <= 2 * LAG_MAX_MS; at += 100) marks.add(at, { history, position: at });
    expect(marks.timeOf({ history, position: LAG_MAX_MS })).toBe(LAG_MAX_MS);
    expect(marks.timeOf({ history, position: LAG_MAX_MS - 1 })).toBeUndefined();
    expect(marks.oldestAt).toBe(LAG_MAX_MS);
  });
});

describe('a change of an alias', () => {
  test('is known as long as a standby may lag', () => {
    const marks = new LogMarks();
    const start = performance.now();
    marks.add(start - 1, { history, position: 1 });
    marks.note({ aliases: ['one'] });
    const changedAt = marks.changedAt('one');
    expect(changedAt).toBeGreaterThanOrEqual(start);
    expect(marks.changedAt('other')).toBe(Number.NEGATIVE_INFINITY);
    marks.add(start + LAG_MAX_MS - 2, { history, position: 2 });
    expect(marks.changedAt('one')).toBe(changedAt);
    marks.add(start + LAG_MAX_MS + 1000, { history, position: 3 });
    // Whoever has reached the second place has the change.
    marks.add(start + 2 * LAG_MAX_MS, { history, position: 4 });
    expect(marks.oldestAt).toBeGreaterThan(changedAt);
    expect(marks.changedAt('one')).toBe(Number.NEGATIVE_INFINITY);
  });

  test('concerns all aliases if it may be anything', () => {
    const marks = new LogMarks();
    marks.note('all');
    expect(marks.changedAt('any')).toBeGreaterThan(0);
  });
});
