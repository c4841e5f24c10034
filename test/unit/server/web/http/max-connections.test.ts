import { describe, expect, test } from 'vitest';
import { maxConnections } from '../../../../../server/web/http/http-server.ts';

describe('the number of connections', () => {
  test.each([
    [64, 16],
    [256, 156],
    [1024, 924],
    [20_000, 4000],
    [Number.POSITIVE_INFINITY, 4000],
  ])(
    'leaves file descriptors for other files: with a limit of %i, it is %i',
    (openFiles, expected) => {
      expect(maxConnections(openFiles)).toBe(expected);
    },
  );
});
