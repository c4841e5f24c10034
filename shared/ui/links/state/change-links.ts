import { TAGS_MAX } from '../../../bounds.ts';
import type { Explained, Result } from '../../../client.ts';
import { formatNumber } from '../../../i18n/plural.ts';
import { type PlainKey, t } from '../../../i18n/translate.ts';
import type { EditRequest } from '../../../links/edit-request.ts';
import type { LinkRecord } from '../../../links/link-record.ts';
import { foldTag } from '../../../text.ts';
import type { LinkSource } from '../link-source.ts';
import type { Loading } from './loading.ts';
import { editCurrent, revertEdit, withChanges } from './revert-edit.ts';
import type { UndoState } from './undo.ts';

export type ChangeTools = {
  source: LinkSource;
  loading: Loading;
  undo: UndoState;
  /** Shows why a change failed, or that none did. */
  report(text: string | undefined): void;
};

/** What was done with many links. */
export type BulkText =
  | 'bulk_deleted'
  | 'bulk_paused'
  | 'bulk_resumed'
  | 'bulk_tagged'
  | 'bulk_untagged'
  | 'bulk_saved';

type Texts = {
  one: PlainKey;
  many: BulkText;
};

const gone = ({ shortUrl }: LinkRecord) => ({ shortUrl, takesFocus: true });

/**
 * Changes one or more links. A change is shown at once; if it fails, the link is shown as it was before,
 * with the reason.
 */
export function createLinkChanger(tools: ChangeTools) {
  const { source, loading, undo, report } = tools;

  /** Deletes links so that they can be restored. */
  async function remove(links: LinkRecord[]): Promise<void> {
    // A double click removes a link once.
    const taken = links.filter((link) => loading.take(link.id));
    const removed = await run(taken, source.remove.bind(source), (link) => loading.put(link));
    for (const { link } of removed) loading.take(link.id);
    done(
      removed.map(({ link }) => link),
      { one: 'link_deleted', many: 'bulk_deleted' },
      (link) => source.restore(link),
      removed.map(({ link }) => link.id),
    );
  }

  /** Restores links that were deleted before. */
  async function restore(link: LinkRecord): Promise<void> {
    if (!loading.take(link.id)) return;
    const restored = await run([link], source.restore.bind(source), (one) => loading.put(one));
    undo.forget(new Set(restored.map((one) => one.link.id)));
    if (restored.length > 0) undo.push({ text: t('link_restored'), ...gone(link) });
  }

  /** Erases a deleted link. */
  async function purge(link: LinkRecord): Promise<void> {
    if (!loading.take(link.id)) return;
    const purged = await run([link], source.purge.bind(source), (one) => loading.put(one));
    if (purged.length > 0) undo.push({ text: t('link_purged'), ...gone(link) });
  }

  function setActive(links: LinkRecord[], isActive: boolean): Promise<void> {
    const others = links.filter(({ status }) => (status !== 'inactive') !== isActive);
    const texts: Texts = isActive
      ? { one: 'link_resumed', many: 'bulk_resumed' }
      : { one: 'link_paused', many: 'bulk_paused' };
    return edit(others, () => ({ isActive }), texts);
  }

  /** Adds a tag to links that have room for one. */
  function addTag(links: LinkRecord[], tag: string): Promise<void> {
    const others = links.filter((link) => !hasTag(link, tag));
    const full = others.filter(({ tags }) => tags.length >= TAGS_MAX);
    const texts: Texts = { one: 'link_tagged', many: 'bulk_tagged' };
    const room = others.filter((link) => !full.includes(link));
    // Other tags that the link got since stay.
    const toRevert = (_: LinkRecord, after: LinkRecord) =>
      editCurrent(tools, after, (link) => withoutTag(link, tag));
    return edit(room, (link) => withTag(link, tag), texts, toRevert).then(() => {
      if (full.length > 0)
        report(t('bulk_failed', formatNumber(full.length), t('tags_full', formatNumber(TAGS_MAX))));
    });
  }

  function removeTag(links: LinkRecord[], tag: string): Promise<void> {
    const tagged = links.filter((link) => hasTag(link, tag));
    const texts: Texts = { one: 'link_untagged', many: 'bulk_untagged' };
    return edit(
      tagged,
      (link) => withoutTag(link, tag),
      texts,
      (_, after) => editCurrent(tools, after, (link) => withTag(link, tag)),
    );
  }

  /** Gives links the same values. */
  function setFields(links: LinkRecord[], changes: EditRequest): Promise<void> {
    return edit(links, () => changes, { one: 'link_saved', many: 'bulk_saved' });
  }

  async function edit(
    links: LinkRecord[],
    toChanges: (link: LinkRecord) => EditRequest,
    texts: Texts,
    toRevert = (before: LinkRecord, after: LinkRecord): Promise<Result<LinkRecord, Explained>> =>
      revertEdit(tools, { changes: toChanges(before), before, after }),
  ): Promise<void> {
    for (const link of links) loading.put(withChanges(link, toChanges(link)));
    const edited = await run(
      links,
      (link) => editCurrent(tools, link, toChanges),
      (link, failure) => loading.put(failure.current ?? link),
    );
    for (const { data } of edited) loading.put(data);
    const results = new Map(edited.map(({ link, data }) => [link.id, data]));
    const before = edited.map(({ link }) => link);
    done(before, texts, (link) => {
      const after = results.get(link.id) ?? link;
      return toRevert(link, after);
    });
  }

  /** @returns the links for which it succeeded */
  async function run<T>(
    links: LinkRecord[],
    act: (link: LinkRecord) => Promise<Result<T, Explained>>,
    rollBack: (link: LinkRecord, failure: Explained) => void,
  ): Promise<{ link: LinkRecord; data: T }[]> {
    if (links.length === 0) return [];
    const readings = loading.readings();
    const outcomes = await undo.hold(eachLimited(links, act));
    // A list that was read meanwhile, perhaps with another filter, may have missed the changes.
    if (loading.readings() !== readings) void loading.refresh();
    const succeeded: { link: LinkRecord; data: T }[] = [];
    let failure: Explained | undefined;
    links.forEach((link, index) => {
      const outcome = outcomes[index] as Result<T, Explained>;
      if (outcome.ok) {
        succeeded.push({ link, data: outcome.data });
        return;
      }
      failure = outcome;
      rollBack(link, outcome);
    });
    const failed = links.length - succeeded.length;
    if (!failure) report(undefined);
    else if (links.length === 1) report(failure.text);
    else report(t('bulk_failed', formatNumber(failed), failure.text));
    return succeeded;
  }

  function done(
    links: LinkRecord[],
    { one, many }: Texts,
    revert: (link: LinkRecord) => Promise<Result<LinkRecord, Explained>>,
    deleted?: string[],
  ): void {
    const [first] = links;
    if (!first) return;
    const readings = loading.readings();
    undo.push({
      takesFocus: links.length === 1 && loading.find(first.id) === undefined,
      key: first.id,
      deleted,
      ...(links.length === 1
        ? { text: t(one), shortUrl: first.shortUrl }
        : { text: t(many, formatNumber(links.length)) }),
      async undo() {
        const outcomes = await eachLimited(links, revert);
        // The list may have another filter by now, which the links don't match.
        if (loading.readings() !== readings) await loading.refresh();
        else for (const outcome of outcomes) if (outcome.ok) loading.put(outcome.data);
        return outcomes.find((outcome) => !outcome.ok);
      },
    });
  }

  return { remove, restore, purge, setActive, addTag, removeTag, setFields };
}

/** Few, so that a click on many links leaves the server time for others. */
const CONCURRENT = 4;

/** Runs a task for each item, a few at a time. @returns the results in the order of the items */
async function eachLimited<T, R>(items: T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await run(items[index] as T);
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  return results;
}

function hasTag({ tags }: LinkRecord, tag: string): boolean {
  return tags.some((one) => foldTag(one) === foldTag(tag));
}

function withTag(link: LinkRecord, tag: string): EditRequest {
  return { tags: hasTag(link, tag) ? link.tags : [...link.tags, tag] };
}

function withoutTag({ tags }: LinkRecord, tag: string): EditRequest {
  return { tags: tags.filter((one) => foldTag(one) !== foldTag(tag)) };
}
