import { computed, signal } from '@preact/signals';
import { LIST_LIMIT_MAX } from '../../bounds.ts';
import type { Result } from '../../client.ts';
import type { FailureText, FailureWithText } from '../../i18n/failure-text.ts';
import { t } from '../../i18n/translate.ts';
import { reportToCsv } from '../../links/import-report.ts';
import type {
  ImportedRow,
  ImportField,
  ImportQuery,
  ImportReport,
  ImportStatus,
} from '../../links/transfer.ts';
import { systemTime, type Time } from '../../time.ts';
import type { LinkSelection, LinkSource } from '../links/link-source.ts';

type ImportChoices = Partial<Omit<ImportQuery, 'dryRun'>>;

/** How a page imports files. Never throws. */
export type ImportSource = Pick<LinkSource, 'changeAll'> & {
  importFile(
    file: Blob,
    options: ImportChoices & { dryRun: boolean },
  ): Promise<Result<ImportReport, FailureWithText>>;
  /** The latest import of the account; undefined if there is none, or that is not known. */
  readStatus(): Promise<ImportStatus | undefined>;
  stop(): Promise<unknown>;
};

type ImportTools = {
  source: ImportSource;
  saveFile(content: Blob, name: string): void;
  /** Saves a file of all links of the account, and says if that fails. */
  saveAll(): Promise<void>;
  /** Reads again what shows links. */
  onImported(): Promise<void>;
  /** @default the real one */
  time?: Time;
};

export type ImportState = ReturnType<typeof createImportState>;
export type RowFilter = 'all' | 'noted' | ImportedRow['status'];

const PROGRESS_EVERY_MS = 1000;
/** Choices that are made quickly, one after another, are one preview. */
const PREVIEW_AFTER_MS = 500;
const REPORT_NAME = 'curt-import.csv';

/** Imports a file: a preview whose guesses can be corrected, then the import with its report. */
export function createImportState({
  source,
  saveFile,
  saveAll,
  onImported,
  time: { after } = systemTime,
}: ImportTools) {
  const file = signal<Blob | undefined>(undefined);
  const choices = signal<ImportChoices>({});
  const preview = signal<ImportReport | undefined>(undefined);
  const report = signal<ImportReport | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);
  /** Whether nothing but the encoding is missing. */
  const asksEncoding = signal(false);
  const isChecking = signal(false);
  const isImporting = signal(false);
  const isStopping = signal(false);
  const filter = signal<RowFilter>('all');
  /** The latest import of the account, wherever it was made. */
  const latest = signal<ImportStatus | undefined>(undefined);
  /** Whether to confirm that links are deleted that were edited since. */
  const isAsking = signal(false);
  const isUndoing = signal(false);
  /** How many links "Undo" has deleted, or "Restore" has restored. */
  const undone = signal<{ count: number; isRestored: boolean } | undefined>(undefined);
  let cancelCheck = () => {};
  let cancelFollowing = () => {};
  let checks = 0;

  const shown = computed(() => report.value ?? preview.value);
  const rows = computed(() => {
    const results = shown.value?.results ?? [];
    if (filter.value === 'all') return results;
    if (filter.value === 'noted') return results.filter(({ issues }) => issues.length > 0);
    return results.filter(({ status }) => status === filter.value);
  });
  /** Columns with values that have no place in Curt. */
  const lost = computed(() =>
    (shown.value?.columns ?? []).filter(({ field, example }) => !field && example !== null),
  );
  const restorable = computed(() =>
    (shown.value?.results ?? []).flatMap(({ isRestorable, alias }) =>
      isRestorable && alias !== null ? [alias] : [],
    ),
  );

  /** Forgets the file before, and shows what an import of this one would do. */
  async function choose(chosen: Blob | undefined): Promise<void> {
    file.value = chosen;
    choices.value = {};
    preview.value = undefined;
    report.value = undefined;
    failure.value = undefined;
    asksEncoding.value = false;
    undone.value = undefined;
    filter.value = 'all';
    if (chosen) await check();
  }

  async function check(): Promise<void> {
    const chosen = file.value;
    if (!chosen) return;
    const call = ++checks;
    isChecking.value = true;
    const result = await source.importFile(chosen, { ...choices.value, dryRun: true });
    // Meanwhile another file or meaning may have been chosen.
    if (call !== checks) return;
    isChecking.value = false;
    asksEncoding.value =
      !result.ok && (result.issues?.some(({ path }) => path === 'encoding') ?? false);
    failure.value = result.ok ? undefined : result;
    if (result.ok) preview.value = result.data;
    else if (asksEncoding.value) preview.value = undefined;
  }

  function change(changes: ImportChoices): void {
    choices.value = { ...choices.value, ...changes };
    cancelCheck();
    isChecking.value = true;
    cancelCheck = after(PREVIEW_AFTER_MS, check);
  }

  /** @param field undefined for what the server finds out */
  function setMeaning(column: string, field: ImportField | null): void {
    const mapping = new Map(Object.entries(choices.value.mapping ?? {}));
    mapping.set(column, field);
    change({ mapping: Object.fromEntries(mapping) });
  }

  async function run(): Promise<void> {
    const chosen = file.value;
    if (!chosen || isImporting.value || isChecking.value) return;
    isImporting.value = true;
    isStopping.value = false;
    failure.value = undefined;
    undone.value = undefined;
    followSoon();
    const result = await source.importFile(chosen, { ...choices.value, dryRun: false });
    if (result.ok) {
      report.value = result.data;
      filter.value = 'all';
      await onImported();
    } else {
      failure.value = result;
    }
    cancelFollowing();
    isImporting.value = false;
    latest.value = await source.readStatus();
    // The response may have been lost on its way.
    if (latest.value?.isRunning) followSoon();
  }

  /** Reads how far the latest import is, and goes on as long as it runs, here or elsewhere. */
  async function refresh(): Promise<void> {
    const wasRunning = latest.value?.isRunning;
    latest.value = await source.readStatus();
    if (isImporting.value || latest.value?.isRunning) followSoon();
    else if (wasRunning) await onImported();
  }

  function followSoon(): void {
    cancelFollowing();
    cancelFollowing = after(PROGRESS_EVERY_MS, refresh);
  }

  async function stop(): Promise<void> {
    isStopping.value = true;
    await source.stop();
    isStopping.value = isImporting.value;
  }

  /** Deletes what the latest import has added. Asks first if some of it was edited since. */
  async function undo(): Promise<void> {
    await refresh();
    if (latest.value?.undo?.edited) isAsking.value = true;
    else await confirmUndo();
  }

  async function confirmUndo(): Promise<void> {
    isAsking.value = false;
    if (!latest.value) return;
    const { importId } = latest.value;
    await setDeleted([{ importId }], true);
  }

  function dismissUndo(): void {
    isAsking.value = false;
  }

  async function restore(): Promise<void> {
    const aliases = restorable.value;
    const parts: LinkSelection[] = [];
    for (let start = 0; start < aliases.length; start += LIST_LIMIT_MAX) {
      parts.push({ aliases: aliases.slice(start, start + LIST_LIMIT_MAX) });
    }
    await setDeleted(parts, false);
    if (!failure.value && !report.value) await check();
  }

  async function setDeleted(selections: LinkSelection[], isDeleted: boolean): Promise<void> {
    if (isUndoing.value) return;
    isUndoing.value = true;
    failure.value = undefined;
    let count = 0;
    for (const selection of selections) {
      let cursor: string | undefined;
      do {
        const part = await source.changeAll(selection, { isDeleted }, { cursor });
        if (!part.ok) failure.value = { title: t('import_undo_failed'), text: part.text };
        count += part.ok ? part.data.changed.length : 0;
        cursor = part.ok ? part.data.nextCursor : undefined;
      } while (cursor !== undefined);
      if (failure.value) break;
    }
    undone.value = { count, isRestored: !isDeleted };
    await Promise.all([refresh(), onImported()]);
    isUndoing.value = false;
  }

  function download(): void {
    const csv = reportToCsv(shown.value?.results ?? []);
    saveFile(new Blob([csv], { type: 'text/csv' }), REPORT_NAME);
  }

  function show(chosen: RowFilter): void {
    filter.value = chosen;
  }

  return {
    ...{ file, choices, preview, report, failure, asksEncoding, isChecking, isImporting },
    ...{ isStopping, filter, latest, isAsking, isUndoing, undone, shown, rows, lost, restorable },
    ...{ choose, change, setMeaning, run, stop, refresh, download, saveAll, show },
    ...{ undo, confirmUndo, dismissUndo, restore },
  };
}
