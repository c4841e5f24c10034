import { describe, expect, test } from 'vitest';
import { Shares } from '../../../../server/limits/shares.ts';

describe('shares of something scarce', () => {
  test('nobody takes more than a share, and can take it again when it was given back', () => {
    const shares = new Shares({ total: 100, share: 30 });
    const giveBack = shares.take(['a'], 20);
    expect(shares.take(['a'], 20)).toBeUndefined();
    expect(shares.take(['b'], 20)).toBeDefined();
    giveBack?.();
    giveBack?.();
    expect(shares.take(['a'], 20)).toBeDefined();
    expect(shares.take(['a'], 10)).toBeDefined();
    expect(shares.take(['a'], 1)).toBeUndefined();
  });

  test('each holder of a thing counts', () => {
    const shares = new Shares({ total: 100, share: 30 });
    expect(shares.take(['network', 'a', 'account'], 20)).toBeDefined();
    expect(shares.take(['network', 'b'], 20)).toBeUndefined();
    expect(shares.take(['other network', 'c', 'account'], 20)).toBeUndefined();
    expect(shares.take(['other network', 'c'], 20)).toBeDefined();
    // Named twice, it counts once.
    expect(shares.take(['d', 'd'], 30)).toBeDefined();
  });

  test('a single thing can be larger than a share', () => {
    const shares = new Shares({ total: 100, share: 30 });
    expect(shares.take(['a'], 80)).toBeDefined();
    expect(shares.take(['a'], 1)).toBeUndefined();
    expect(shares.take(['b'], 30)).toBeUndefined();
  });

  test('when all is taken, who holds the most loses the oldest to who holds less', () => {
    const shares = new Shares({ total: 60, share: 30 });
    const lost: string[] = [];
    for (const [who, what] of ['a1', 'b1', 'a2', 'a3', 'b2', 'c1']) {
      shares.take([who ?? ''], 10, () => lost.push(`${who}${what}`));
    }
    expect(lost).toEqual([]);
    expect(shares.take(['d'], 10)).toBeDefined();
    expect(lost).toEqual(['a1']);
    // Now nobody holds more than b would then.
    expect(shares.take(['b'], 10)).toBeUndefined();
    expect(lost).toEqual(['a1']);
  });

  test('what cannot be taken away stays with its holder', () => {
    const shares = new Shares({ total: 30, share: 30 });
    shares.take(['a'], 20);
    shares.take(['a'], 10);
    expect(shares.take(['b'], 10)).toBeUndefined();
  });
});
