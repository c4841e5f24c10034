import type { FastifyInstance } from 'fastify';
import { TAGS_LISTED_MAX } from '../../shared/bounds.ts';
import { bulkChangeSchema } from '../../shared/links/bulk.ts';
import { foldTag } from '../../shared/text.ts';
import { parseInput } from '../lib/parse-input.ts';
import { ServiceError } from '../lib/service-error.ts';
import { type ChangeLinksDependencies, changeLinks } from '../links/manage/change-links.ts';
import type { KeyCall } from './key-call.ts';
import { eachLink } from './links.ts';
import { readBody, readList, readQuery, textOf } from './parameters.ts';
import type { ShlinkDependencies, Sign } from './shlink-call.ts';
import { invalidData, tagConflict, tagNotFound } from './shlink-errors.ts';
import { readPage } from './shlink-list.ts';
import { pageOfAll, toVisits } from './shlink-shapes.ts';

const PAGE = 100;
const ALL = -1;

/** Registers the endpoints of tags, which exist as long as a link has them. */
export function tagRoutes(
  app: FastifyInstance,
  dependencies: ShlinkDependencies & ChangeLinksDependencies,
  sign: Sign,
): void {
  app.get('/tags', async (request, reply) => {
    const key = await sign(request, reply, 'read');
    const query = readQuery(request);
    const counts = await dependencies.store.countTags(key.account.id, TAGS_LISTED_MAX);
    const names = counts.map(({ tag }) => tag).filter(toSearch(query.searchTerm));
    return { tags: pageOfAll(names.sort(byName), readPage(query, ALL)) };
  });

  app.get('/tags/stats', async (request, reply) => {
    const key = await sign(request, reply, 'read');
    const query = readQuery(request);
    const isFound = toSearch(query.searchTerm);
    const rows = (await countByTag(key)).filter(({ tag }) => isFound(tag));
    const sorted = rows.sort((one, other) => byName(one.tag, other.tag));
    return { tags: pageOfAll(sorted, readPage(query, ALL)) };
  });

  app.put('/tags', async (request, reply) => {
    const key = await sign(request, reply, 'edit');
    const sent = await readBody(request);
    const [oldName, newName] = [textOf(sent.oldName), textOf(sent.newName)];
    if (oldName === undefined) throw invalidData('oldName', 'Is required.');
    if (newName === undefined) throw invalidData('newName', 'Is required.');
    const known = new Set((await countByTag(key)).map(({ tag }) => foldTag(tag)));
    if (!known.has(foldTag(oldName))) throw tagNotFound(oldName);
    if (foldTag(oldName) !== foldTag(newName) && known.has(foldTag(newName))) {
      throw tagConflict(oldName, newName);
    }
    await changeTag(key, oldName, { removeTags: [oldName], addTags: [newName] });
    return reply.code(204).send();
  });

  app.delete('/tags', async (request, reply) => {
    const key = await sign(request, reply, 'edit');
    for (const tag of readList(request, 'tags')) await changeTag(key, tag, { removeTags: [tag] });
    return reply.code(204).send();
  });

  /** Changes all links with a tag, page by page, as `PATCH /api/links` does. */
  async function changeTag(key: KeyCall, tag: string, sent: object): Promise<void> {
    const change = parseInput(bulkChangeSchema, sent);
    for (let cursor: string | undefined; ; ) {
      const query = { tag, limit: PAGE, cursor, all: false, dryRun: false };
      const { data, nextCursor } = await changeLinks(key, query, change, dependencies);
      const [failed] = data.failed;
      if (failed) throw new ServiceError(failed.code, failed.message);
      if (nextCursor === null) return;
      cursor = nextCursor;
    }
  }

  async function countByTag(key: KeyCall) {
    const counts = new Map<string, { tag: string; links: number; visits: number }>();
    for await (const { tags, hits } of eachLink(key, dependencies)) {
      for (const tag of tags) {
        const count = counts.get(foldTag(tag)) ?? { tag, links: 0, visits: 0 };
        count.links++;
        count.visits += hits;
        counts.set(foldTag(tag), count);
      }
    }
    return [...counts.values()].map(({ tag, links, visits }) => ({
      ...{ tag, shortUrlsCount: links },
      visitsSummary: toVisits(visits),
    }));
  }
}

function toSearch(searchTerm: unknown): (tag: string) => boolean {
  const wanted = foldTag(textOf(searchTerm) ?? '');
  return (tag) => foldTag(tag).includes(wanted);
}

function byName(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
