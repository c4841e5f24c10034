import { describe, expect, test } from 'vitest';
import { StoreOpenError } from '../../../../server/store/store.ts';
import { folderOf } from '../../../../server/store/store-url.ts';

describe('the folder in STORE_URL', () => {
  test.each([
    ['file:///srv/curt', '/srv/curt'],
    ['file:/srv/curt', '/srv/curt'],
    ['file:///srv/%23curt', '/srv/#curt'],
    ['file:/srv/#curt', '/srv/#curt'],
    ['file:/srv/curt?', '/srv/curt?'],
    ['file:data', `${process.cwd()}/data`],
  ])('%s is %s', (url, folder) => {
    expect(folderOf(url)).toBe(folder);
  });

  test.each([
    ['file:///srv/#curt', /# ends the path.*%23/],
    ['file:///srv/curt?mode=rw', /\? ends the path.*%3F/],
    ['file:', /names no folder of its own/],
    ['file:///', /names no folder of its own/],
    ['file://', /names no folder of its own/],
    ['file://srv/curt', /cannot be read: .*absolute path/],
    ['file:///srv/%zz', /cannot be read: .*absolute path/],
    ['postgres://curt@host/curt', /instead of a folder/],
  ])('is refused where it would be another one than people mean: %s', (url, message) => {
    expect(() => folderOf(url)).toThrow(StoreOpenError);
    expect(() => folderOf(url)).toThrow(message);
  });
});
