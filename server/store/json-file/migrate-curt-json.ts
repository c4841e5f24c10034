import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StoreOpenError } from '../store.ts';
import { ADVICE, newerVersion } from './file-header.ts';
import { readGenerations } from './generations.ts';
import { toLinkJson } from './link-json.ts';
import { SnapshotWriter } from './snapshot-writer.ts';
import type { LineRecord } from './state.ts';

const VERSION = 1;

/** Version 1 of the format: one file, which every change rewrote. */
const curtJsonSchema = z.object({
  version: z.literal(VERSION),
  accounts: z.array(z.object({ id: z.string(), tokenHash: z.string(), created: z.number() })),
  links: z.array(
    z.object({
      id: z.string(),
      accountId: z.string(),
      alias: z.string(),
      aliasIsCustom: z.boolean(),
      originalUrl: z.string(),
      title: z.string(),
      description: z.string().nullable(),
      passwordHash: z.string().nullable(),
      expiresAt: z.number().nullable(),
      waitTimerSeconds: z.number(),
      gtmId: z.string().nullable(),
      isActive: z.boolean(),
      hits: z.number(),
      created: z.number(),
      modified: z.number(),
    }),
  ),
  idempotency: z.array(
    z.object({
      keyHash: z.string(),
      bodyHash: z.string(),
      tokenSalt: z.string().nullable(),
      linkId: z.string(),
      created: z.number(),
    }),
  ),
});

/**
 * Makes the first snapshot of a `curt.json`, which stays as `curt.json.migrated`.
 *
 * @throws StoreOpenError it is not as Curt wrote it; it stays as it is
 */
export async function migrateCurtJson(folder: string): Promise<void> {
  const path = join(folder, 'curt.json');
  if (!existsSync(path)) return;
  const { snapshot, journals } = readGenerations(folder);
  if (snapshot === undefined && journals.length === 0) {
    const data = parse(await readFile(path, 'utf8'), path);
    const idempotency = new Map(data.idempotency.map(({ linkId, ...entry }) => [linkId, entry]));
    const writer = new SnapshotWriter(folder, 1);
    for (const account of data.accounts) writer.add(membersOf({ account }));
    for (const link of data.links) {
      const { keyHash = '', bodyHash = '', tokenSalt = null } = idempotency.get(link.id) ?? {};
      writer.add(
        membersOf({
          ...(keyHash && { idempotency: { keyHash, bodyHash, tokenSalt } }),
          link: toLinkJson(link),
        }),
      );
    }
    writer.finish();
  }
  // Last: after a crash before this line, the snapshot is there and is read.
  await rename(path, `${path}.migrated`);
}

function membersOf(record: LineRecord): string {
  return JSON.stringify(record).slice(1, -1);
}

function parse(text: string, path: string): z.output<typeof curtJsonSchema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new StoreOpenError(`${path} is not whole: ${(error as SyntaxError).message}. ${ADVICE}`);
  }
  const version = (json as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > VERSION) throw newerVersion(path, version, VERSION);
  const data = curtJsonSchema.safeParse(json);
  if (data.success) return data.data;
  const issue = data.error.issues[0];
  throw new StoreOpenError(
    `${path} is not as Curt writes it: ${issue?.path.join('.') || 'the whole'}: ${issue?.message}. ${ADVICE}`,
  );
}
