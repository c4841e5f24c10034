import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addLink, newLink } from '../store/contract.ts';
import { jsonOf, startAsAdmin } from './support/curt.ts';

test('an administrator adds a domain, edits and removes it', async () => {
  const { home, store, admin, ...service } = await startAsAdmin();
  const domain = (...args: string[]) => admin('domain', ...args);
  const data = (...args: string[]) => service.data('domain', ...args);
  const logo = join(home, 'logo.svg');
  await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const brand = { name: 'Go', logo: expect.stringMatching(/^data:image\/svg/), color: '#0b6b57' };

  const looks = ['--name', 'Go', '--color', '#0B6B57', '--logo', logo];
  expect(await data('add', 'go.example', ...looks)).toMatchObject({ host: 'go.example', brand });
  expect(jsonOf(await domain('add', 'GO.example', '--json'))).toMatchObject({
    code: 'domain_exists',
  });
  const edited = await data('edit', 'go.example', '--no-name', '--gone-url', 'example.com');
  expect(edited).toMatchObject({
    brand: { ...brand, name: null },
    goneUrl: 'https://example.com/',
  });
  expect((await data('edit', 'go.example', '--no-gone-url')).goneUrl).toBeNull();
  const recolored = await data('edit', 'GO.example.', '--color', '#123456');
  expect(recolored.brand).toEqual({ ...brand, name: null, color: '#123456' });
  expect((await domain('list')).stdout).toMatch(
    /^HOST +STATE +ACCOUNTS +NAME +ROOT\n\S+ +default +all.*\ngo\.example +in use +all/,
  );

  await addLink(store, newLink('go.example/one'));
  await addLink(store, newLink('go.example/two'));
  await addLink(store, newLink('two'));
  expect(await domain('remove', 'go.example')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(
      / has 2 links\..* Choose with --keep-links or --move-links-to <host>\.$/m,
    ),
  });
  expect(await domain('remove', 'go.example', '--move-links-to', 's.example')).toMatchObject({
    exitCode: 0,
    stdout:
      'Removed go.example.\nLinks moved: 1\nLinks that could not be moved, and answer 410: 1\nhttps://go.example/two  alias_taken\n',
  });
  expect((await domain('list')).stdout).toMatch(/go\.example +removed/);
  expect(await data('add', 'go.example')).toMatchObject({
    removed: null,
    brand: { color: '#123456' },
  });
  expect((await domain('remove', 'go.example', '--keep-links')).stdout).toBe(
    'Removed go.example.\n',
  );
});
