import { formatNumber } from '../../../i18n/plural.ts';
import { type PlainKey, t } from '../../../i18n/translate.ts';
import { TAGS_MAX } from '../../../limits.ts';
import type { EditRequest } from '../../../links/edit-request.ts';
import { keyOf, type ShownLink } from '../../../links/shown-link.ts';
import { foldTag } from '../../../text.ts';
import type { LinkFailure, LinkSource, Outcome } from '../link-source.ts';
import { eachLimited } from './each-limited.ts';
import { withChanges } from './edit-changes.ts';
import type { Loading } from './loading.ts';
import { editCurrent, revertEdit } from './revert-edit.ts';
import type { UndoState } from './undo.ts';

export type ChangeTools = {
  source: LinkSource;
  loading: Loading;
  undo: UndoState;
  /** Shows why a change failed, or that none did. */
  report(text: string | undefined): void;
};

type Texts = {
  one: PlainKey;
  many: 'bulk_deleted' | 'bulk_paused' | 'bulk_resumed' | 'bulk_tagged';
};

const gone = ({ shortUrl }: ShownLink) => ({ shortUrl, takesFocus: true });

/**
 * Changes one or more links. A change is shown at once; if it fails, the link is shown as it was before,
 * with the reason.
 */
export function createLinkChanger(tools: ChangeTools) {
  const { source, loading, undo, report } = tools;

  /** Deletes links so that they can be restored. */
  async function remove(links: ShownLink[]): Promise<void> {
    // A double click removes a link once.
    const taken = links.filter((link) => loading.take(keyOf(link)));
    const removed = await run(taken, source.remove.bind(source), (link) => loading.put(link));
    for (const { link } of removed) loading.take(keyOf(link));
    done(
      removed.map(({ link }) => link),
      { one: 'link_deleted', many: 'bulk_deleted' },
      (link) => source.restore(link),
    );
  }

  /** Restores links that were deleted before. */
  async function restore(link: ShownLink): Promise<void> {
    if (!loading.take(keyOf(link))) return;
    const restored = await run([link], source.restore.bind(source), (one) => loading.put(one));
    if (restored.length > 0) undo.push({ text: t('link_restored'), ...gone(link) });
  }

  /** Erases a deleted link. */
  async function purge(link: ShownLink): Promise<void> {
    if (!loading.take(keyOf(link))) return;
    const purged = await run([link], source.purge.bind(source), (one) => loading.put(one));
    if (purged.length > 0) undo.push({ text: t('link_purged'), ...gone(link) });
  }

  function setActive(links: ShownLink[], isActive: boolean): Promise<void> {
    const others = links.filter(
      ({ serverState }) => (serverState?.status !== 'inactive') !== isActive,
    );
    const texts: Texts = isActive
      ? { one: 'link_resumed', many: 'bulk_resumed' }
      : { one: 'link_paused', many: 'bulk_paused' };
    return edit(others, () => ({ isActive }), texts);
  }

  /** Adds a tag to links that have room for one. */
  function addTag(links: ShownLink[], tag: string): Promise<void> {
    const hasTag = ({ serverState }: ShownLink) =>
      serverState?.tags?.some((one) => foldTag(one) === foldTag(tag));
    const others = links.filter((link) => !hasTag(link));
    const full = others.filter(({ serverState }) => (serverState?.tags?.length ?? 0) >= TAGS_MAX);
    const toChanges = ({ serverState }: ShownLink) => ({
      tags: [...(serverState?.tags ?? []), tag],
    });
    const texts: Texts = { one: 'link_tagged', many: 'bulk_tagged' };
    const room = others.filter((link) => !full.includes(link));
    // Other tags that the link got since stay.
    const withoutTag = ({ serverState }: ShownLink) => ({
      tags: serverState?.tags?.filter((one) => foldTag(one) !== foldTag(tag)) ?? [],
    });
    const toRevert = (_: ShownLink, after: ShownLink) => editCurrent(tools, after, withoutTag);
    return edit(room, toChanges, texts, toRevert).then(() => {
      if (full.length > 0)
        report(t('bulk_failed', formatNumber(full.length), t('tags_full', String(TAGS_MAX))));
    });
  }

  async function edit(
    links: ShownLink[],
    toChanges: (link: ShownLink) => EditRequest,
    texts: Texts,
    toRevert = (before: ShownLink, after: ShownLink): Promise<Outcome<ShownLink>> =>
      revertEdit(tools, { changes: toChanges(before), before, after }),
  ): Promise<void> {
    const editable = links.filter((link) => link.serverState);
    for (const link of editable) loading.put(withChanges(link, toChanges(link)));
    const edited = await run(
      editable,
      (link) => editWith(link, toChanges),
      (link, failure) => loading.put(failure.current ?? link),
    );
    for (const { data } of edited) loading.put(data);
    const results = new Map(edited.map(({ link, data }) => [keyOf(link), data]));
    const before = edited.map(({ link }) => link);
    done(before, texts, (link) => {
      const after = results.get(keyOf(link)) ?? link;
      return toRevert(link, after);
    });
  }

  /** Changes what depends on the link, such as its tags, once more if it was edited meanwhile. */
  async function editWith(
    link: ShownLink,
    toChanges: (link: ShownLink) => EditRequest,
  ): Promise<Outcome<ShownLink>> {
    const edited = await source.edit(link, toChanges(link), { isConditional: true });
    if (edited.ok || !edited.current?.serverState) return edited;
    return source.edit(edited.current, toChanges(edited.current), { isConditional: true });
  }

  /** @returns the links for which it succeeded */
  async function run<T>(
    links: ShownLink[],
    act: (link: ShownLink) => Promise<Outcome<T>>,
    rollBack: (link: ShownLink, failure: LinkFailure) => void,
  ): Promise<{ link: ShownLink; data: T }[]> {
    if (links.length === 0) return [];
    const readings = loading.readings();
    const outcomes = await eachLimited(links, act);
    // A list that was read meanwhile, perhaps with another filter, may have missed the changes.
    if (loading.readings() !== readings) void loading.refresh();
    const succeeded: { link: ShownLink; data: T }[] = [];
    let failure: LinkFailure | undefined;
    links.forEach((link, index) => {
      const outcome = outcomes[index] as Outcome<T>;
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
    links: ShownLink[],
    { one, many }: Texts,
    revert: (link: ShownLink) => Promise<Outcome<ShownLink>>,
  ): void {
    const [first] = links;
    if (!first) return;
    const readings = loading.readings();
    undo.push({
      takesFocus: links.length === 1 && loading.find(keyOf(first)) === undefined,
      key: keyOf(first),
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

  return { remove, restore, purge, setActive, addTag };
}
