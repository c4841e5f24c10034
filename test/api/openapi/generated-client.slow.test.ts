import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN } from '../admin/as-admin.ts';
import { startService } from '../support.ts';
import { withTypeScript } from './with-typescript.ts';

const MODULES = join(import.meta.dirname, '../../../node_modules');
const PROGRAM = join(import.meta.dirname, 'generated-client/use-client.ts');

async function generateTypes(document: string): Promise<string> {
  const { default: generate, astToString } = await withTypeScript(
    () => import('openapi-typescript'),
  );
  return astToString(await generate(document));
}

/** Type-checks the program with the types. Packages are found only from below `node_modules`. */
async function checkTypes(types: string): Promise<void> {
  await mkdir(join(MODULES, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(MODULES, '.cache/generated-client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'schema.d.ts'), types);
  await cp(PROGRAM, join(folder, 'use-client.ts'));
  const options = '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --skipLibCheck';
  const target = '--target es2024 --module nodenext --allowImportingTsExtensions';
  const args = [...`${options} ${target}`.split(' '), join(folder, 'use-client.ts')];
  await promisify(execFile)(join(MODULES, '.bin/tsc'), args).catch(({ stdout }) => {
    throw new Error(stdout);
  });
}

test('a client that openapi-typescript generates creates links, lists them, and edits with If-Match', async () => {
  const service = await startService();
  const baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' });
  // The list is in the order of creation, and links of the same millisecond are in no order.
  service.app.server.on('request', () => service.clock.advance(1));
  await checkTypes(await generateTypes((await service.app.inject('/api/openapi.json')).body));
  const { useClient } = await import(PROGRAM);
  expect(await useClient(baseUrl)).toEqual({
    aliases: ['third', 'second'],
    title: 'Edited',
    outdated: 'version_mismatch',
  });
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
