import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../support.ts';
import { visit } from './visiting.ts';

const HOSTILE_SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

test('pages show the name, logo and color of the operator', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'curt-logo-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'logo.svg');
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
