import { expect, test } from 'vitest';
import { HostHeaders } from '../../../../server/domains/host-headers.ts';

test('made-up hosts take no more memory than a thousand, and none if they are longer than hosts can be', () => {
  const headers = new HostHeaders();
  for (let number = 0; number < 2500; number++) headers.parse(`H${number}.Example:8080`);
  expect(headers.size).toBeLessThanOrEqual(1000);
  expect(headers.parse('H0.Example:8080')).toEqual(['h0.example:8080', 'h0.example']);
  const { size } = headers;
  expect(headers.parse(`${'a.'.repeat(200)}example`)).toEqual([]);
  expect(headers.size).toBe(size);
});
