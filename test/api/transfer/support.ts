import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportReport } from '../../../shared/links/transfer.ts';
import type { ImportSource } from '../../../shared/links/transfer-formats.ts';
import { call, makeLink, startService, type TestService } from '../support.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/imports');

export const fixture = (path: string) => readFile(join(FIXTURES, path));

/** The token of a new account, which has made one link. */
export async function newAccount(service: TestService): Promise<string> {
  const { newAuthToken = '' } = await makeLink(service, { customAlias: undefined });
  return newAuthToken;
}

export async function startWithAccount(options: Parameters<typeof startService>[0] = {}) {
  const service = await startService(options);
  return { service, token: await newAccount(service) };
}

type ImportOptions = {
  token?: string | undefined;
  type?: string;
  dryRun?: boolean;
  query?: Record<string, string>;
  headers?: Record<string, string>;
};

export function sendImport(
  { app }: Pick<TestService, 'app'>,
  from: ImportSource | string | undefined,
  file: Buffer | string | object,
  { token, type = 'application/json', dryRun, query, headers }: ImportOptions = {},
) {
  const isText = typeof file === 'string' || Buffer.isBuffer(file);
  return app.inject({
    method: 'POST',
    url: '/api/links/import',
    query: {
      ...(from && { from }),
      ...(dryRun !== undefined && { dryRun: String(dryRun) }),
      ...query,
    },
    headers: {
      'content-type': type,
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    payload: isText ? file : JSON.stringify(file),
  });
}

/** Imports a file, which must succeed, and returns the report. */
export async function importFile(...args: Parameters<typeof sendImport>): Promise<ImportReport> {
  const response = await sendImport(...args);
  if (response.statusCode !== 200) throw new Error(`nothing was imported: ${response.body}`);
  return response.json().data;
}

export function sendExport(
  service: Pick<TestService, 'app'>,
  query: Record<string, string>,
  token?: string,
) {
  return call(service, `GET /api/links/export?${new URLSearchParams(query)}`, { token });
}

/** Exports the account's links, which must succeed, and returns the file. */
export async function exportFile(...args: Parameters<typeof sendExport>): Promise<string> {
  const response = await sendExport(...args);
  if (response.statusCode !== 200) throw new Error(`nothing was exported: ${response.body}`);
  return response.body;
}

/** The status of each row. */
export function statuses({ results }: ImportReport): string[] {
  return results.map(({ status }) => status);
}
