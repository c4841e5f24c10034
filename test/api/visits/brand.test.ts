import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { domainOf } from '../../store/contract/domains.ts';
import { newFolder } from '../../support/new-folder.ts';
import { startService } from '../support.ts';
import { visit } from './visiting.ts';

const HOSTILE_SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

test('pages show the name, logo and color of the operator', async () => {
  const file = join(await newFolder(), 'logo.svg');
  writeFileSync(file, HOSTILE_SVG);
  const service = await startService({
    env: { BRAND_NAME: 'A & <b>', BRAND_LOGO: file, BRAND_COLOR: '#0b6b57,#6fd6b8' },
  });
  // Read at startup only.
  rmSync(file);
  const { body } = await visit(service, '/nobody');
  expect(body).toContain('<title>Link not found – A &amp; &lt;b&gt;</title>');
  expect(body).toContain('<bdi>A &amp; &lt;b&gt;</bdi>');

  const [, logoUrl = ''] = /<img src="([^"]+)"/.exec(body) ?? [];
  expect(body).toContain(`<link rel="icon" href="${logoUrl}" type="image/svg+xml">`);
  const logo = await visit(service, logoUrl);
  expect(logo.body).toBe(HOSTILE_SVG);
  expect(logo.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'x-content-type-options': 'nosniff',
  });
  const policy = String(logo.headers['content-security-policy']).split('; ');
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", 'sandbox']));

  const [, stylesUrl = ''] = /href="(\/assets\/brand\.css[^"]*)"/.exec(body) ?? [];
  const styles = await visit(service, stylesUrl);
  expect(styles.headers['content-type']).toBe('text/css; charset=utf-8');
  expect(styles.body).toContain('--color-accent: #6fd6b8;');
});

test('without a brand, pages are those of Curt and load nothing more', async () => {
  const service = await startService();
  const { body } = await visit(service, '/nobody');
  expect(body).toContain('<bdi>Curt</bdi>');
  expect(body).not.toContain('/assets/brand');
  expect((await visit(service, '/assets/brand.css')).statusCode).toBe(404);
});

test('pages of a domain show its own brand, and what it does not set as on the server', async () => {
  const service = await startService({ env: { BRAND_NAME: 'Server', BRAND_COLOR: '#7a0019' } });
  const logo = `data:image/svg+xml;base64,${Buffer.from(HOSTILE_SVG).toString('base64')}`;
  const { administration } = service.store;
  const shop = { name: 'Shop', logo, color: '#0b6b57' };
  await administration.addDomain(domainOf('shop.example', { brand: shop }));
  const named = { name: 'Go', logo: null, color: null };
  await administration.addDomain(domainOf('go.example', { brand: named }));
  await administration.addDomain(domainOf('plain.example'));
  const at = (host: string, path: string) => visit(service, path, { headers: { host } });
  const namesOf = async (host: string) => {
    const { body } = await at(host, '/nobody');
    const [, name] = /<bdi>([^<]+)<\/bdi>/.exec(body) ?? [];
    const [, icon = ''] = /<link rel="icon" href="([^"]+)"/.exec(body) ?? [];
    const [, stylesUrl = ''] = /href="(\/assets\/brand\.css[^"]*)"/.exec(body) ?? [];
    return { name, icon, styles: (await at(host, stylesUrl)).body };
  };

  const own = await namesOf('shop.example');
  expect(own).toMatchObject({ name: 'Shop', icon: expect.stringMatching(/^\/assets\/brand-logo/) });
  expect(own.styles).toContain('--color-accent: #0b6b57;');
  const picture = await at('shop.example', own.icon);
  expect([picture.body, picture.headers['content-type']]).toEqual([HOSTILE_SVG, 'image/svg+xml']);
  expect(picture.headers['content-security-policy']).toContain('sandbox');
  expect((await at('shop.example', '/favicon.ico')).headers.location).toBe(own.icon);
  for (const [host, name] of [
    ['go.example', 'Go'],
    ['plain.example', 'Server'],
    ['s.example', 'Server'],
    ['unknown.example', 'Server'],
  ] as const) {
    const other = await namesOf(host);
    expect([other.name, other.icon], host).toEqual([name, '/favicon.svg']);
    expect(other.styles, host).toContain('--color-accent: #7a0019;');
    expect((await at(host, own.icon)).statusCode, host).toBe(404);
  }

  // As after a rule for colors has become stricter: checked when it was set, and stored since then.
  const damaged = { name: 'Shop', logo: 'data:image/png;base64,AAAA', color: '#ffd100' };
  await administration.editDomain('shop.example', { brand: damaged });
  expect(await namesOf('shop.example')).toEqual({ ...(await namesOf('s.example')), name: 'Shop' });

  await administration.editDomain('shop.example', { brand: null });
  expect((await namesOf('shop.example')).name).toBe('Server');
});
