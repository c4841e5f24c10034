import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, onTestFinished, test } from 'vitest';
import type { z } from 'zod';
import { ADMIN } from '../admin/as-admin.ts';
import { startService } from '../support.ts';
import { withTypeScript } from './with-typescript.ts';

const MODULES = join(import.meta.dirname, '../../../node_modules');
const PROGRAM = join(import.meta.dirname, 'generated-client/use-client.ts');

/** What a later version may answer. */
const LATER = { status: 'archived', folder: 'Summer', card: { title: 'Card', video: 'v' } };
const LATER_ERROR = { success: false, message: 'No.', code: 'too_late', documentation: 'https://' };

/** Generates a client with types and validation by zod, and puts the program beside it. */
async function generateClient(document: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'curt-client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(MODULES, join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await copyFile(PROGRAM, join(folder, 'use-client.ts'));
  const { createClient } = await withTypeScript(() => import('@hey-api/openapi-ts'));
  await createClient({
    input: JSON.parse(document),
    output: join(folder, 'client'),
    logs: { level: 'silent' },
    plugins: ['@hey-api/client-fetch', 'zod', { name: '@hey-api/sdk', validator: true }],
  });
  return folder;
}

async function checkTypes(folder: string): Promise<void> {
  const options = '--ignoreConfig --noEmit --strict --skipLibCheck --allowImportingTsExtensions';
  const target = '--target es2024 --module preserve';
  const args = [...`${options} ${target}`.split(' '), join(folder, 'use-client.ts')];
  await promisify(execFile)(join(MODULES, '.bin/tsc'), args).catch(({ stdout }) => {
    throw new Error(stdout);
  });
}

test('a client that @hey-api/openapi-ts generates compiles, and finds all requests and responses valid', async () => {
  const service = await startService();
  const baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' });
  const folder = await generateClient((await service.app.inject('/api/openapi.json')).body);
  await checkTypes(folder);
  const { useClient } = await import(join(folder, 'use-client.ts'));
  const { edited, ...results } = await useClient(baseUrl);
  expect(results).toEqual({
    batch: [200, 400],
    aliases: ['third'],
    title: 'Edited',
    outdated: 'version_mismatch',
    restored: 'active',
    people: 0,
    links: 4,
    missing: 'not_found',
  });

  const schemas: Record<string, z.ZodType> = await import(join(folder, 'client/zod.gen.ts'));
  const later = { ...edited, data: { ...edited.data, ...LATER }, hint: 'New' };
  expect(schemas.zGetLinkResponse?.parse(later)).toMatchObject({ data: { status: 'archived' } });
  expect(schemas.zError?.parse(LATER_ERROR)).toMatchObject({ code: 'too_late' });
  const wrong = { ...edited, data: { ...edited.data, hits: 'many' } };
  expect(schemas.zGetLinkResponse?.safeParse(wrong).success).toBe(false);
});

test('the OpenAPI description passes the recommended rules of Redocly', async () => {
  const env = { ...ADMIN.env, IDENTITY_HEADER: 'X-Forwarded-User', TRUST_PROXY: '127.0.0.1' };
  const { app } = await startService({ env });
  const source = (await app.inject('/api/openapi.json')).body;
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  const errors = problems.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  // It does check something.
  expect(problems.length).toBeGreaterThan(0);
});
