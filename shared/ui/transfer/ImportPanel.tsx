import './import.css';
import '../styles/table.css';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { formatCount, formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import { ENCODINGS, IMPORT_SOURCES } from '../../links/transfer-formats.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { FailureNote } from '../FailureNote.tsx';
import { Checkbox, Field, InputField, SelectField } from '../Field.tsx';
import { Icon } from '../Icon.tsx';
import { restoreFocusAfter } from '../restore-focus.ts';
import { ImportColumns } from './ImportColumns.tsx';
import { ImportRows } from './ImportRows.tsx';
import type { ImportState } from './import-state.ts';
import { sourceName } from './import-texts.ts';

const ACCEPTED = '.json,.csv,.tsv,.txt,.html,.htm,application/json,text/csv,text/html';

type ImportPanelProps = {
  state: ImportState;
  /** Closes the panel, where it is not a part of its page. */
  onClose?(): void;
};

/** Imports links: choose a file or paste a list, correct what it was taken for, import, read the report. */
export function ImportPanel({ state, onClose }: ImportPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isDropping = useSignal(false);
  useLayoutEffect(() => {
    if (onClose) heading.current?.focus();
  }, [onClose]);
  useEffect(() => void state.refresh(), [state]);
  const { isImporting, report, preview, file } = state;
  return (
    <section
      class={isDropping.value ? 'import dropping' : 'import'}
      aria-labelledby="import-heading"
      onDragOver={(event) => {
        event.preventDefault();
        isDropping.value = true;
      }}
      onDragLeave={() => {
        isDropping.value = false;
      }}
      onDrop={(event) => {
        event.preventDefault();
        isDropping.value = false;
        const [dropped] = event.dataTransfer?.files ?? [];
        if (dropped && !isImporting.value) void state.choose(dropped);
      }}
    >
      <header class="import-head">
        <h2 id="import-heading" tabIndex={-1} ref={heading}>
          {t('import_heading')}
        </h2>
        {onClose && (
          <button type="button" class="button plain" onClick={onClose}>
            {t('import_close')}
          </button>
        )}
      </header>
      <p class="intro">{t('import_intro')}</p>
      <ChooseFile state={state} />
      <p class="note" role="status">
        {state.isChecking.value && t('import_checking')}
        {isImporting.value && t('import_busy')}
      </p>
      <FailureNote failure={state.failure.value} />
      {file.value && !report.value && <Guesses state={state} />}
      {(isImporting.value || state.latest.value?.isRunning) && <Progress state={state} />}
      {(report.value ?? preview.value) && <Outcome state={state} />}
      <Undo state={state} />
    </section>
  );
}

/** A file, or what is pasted. Dropping one works everywhere on the panel. */
function ChooseFile({ state }: { state: ImportState }) {
  const pasted = useSignal('');
  const isDisabled = state.isImporting.value;
  return (
    <div class="import-choose import-part">
      <InputField
        label={t('field_import_file')}
        hint={t('import_drop')}
        class="input file-input"
        type="file"
        name="import-file"
        accept={ACCEPTED}
        disabled={isDisabled}
        // Without a file, the browser reports the choice of the same one, which may have changed.
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        onChange={(event) => void state.choose(event.currentTarget.files?.[0])}
      />
      <details class="advanced">
        <summary>
          <Icon name="chevron" />
          {t('import_paste')}
        </summary>
        <div class="advanced-fields">
          <Field label={t('import_paste_label')}>
            {(control) => (
              <textarea
                {...control}
                class="input"
                rows={5}
                dir="ltr"
                spellcheck={false}
                disabled={isDisabled}
                value={pasted.value}
                onInput={(event) => {
                  pasted.value = event.currentTarget.value;
                }}
              />
            )}
          </Field>
          <div class="buttons">
            <button
              type="button"
              class="button"
              aria-disabled={isDisabled || pasted.value.trim() === ''}
              onClick={() => {
                if (pasted.value.trim()) void state.choose(new Blob([pasted.value]));
              }}
            >
              {t('import_check')}
            </button>
          </div>
        </div>
      </details>
    </div>
  );
}

/** What the file was taken for. Everything can be changed. */
function Guesses({ state }: { state: ImportState }) {
  const preview = state.preview.value;
  const isAmbiguous = preview?.columns.some(({ notes }) => notes.includes('date_order'));
  const encoding = state.choices.value.encoding ?? preview?.encoding;
  const asksEncoding = state.asksEncoding.value || (encoding !== undefined && encoding !== 'utf-8');
  return (
    <div class="import-part">
      {preview && (
        <SelectField
          label={t('import_source')}
          hint={
            preview.signs.length > 0
              ? t('import_signs', preview.signs.map((sign) => `“${sign}”`).join(', '))
              : undefined
          }
          name="import-source"
          options={IMPORT_SOURCES.map((value) => ({ value, label: sourceName(value) }))}
          value={preview.source}
          onChoose={(from) => state.change({ from, mapping: undefined })}
        />
      )}
      {asksEncoding && (
        <SelectField
          label={t('import_encoding')}
          name="import-encoding"
          options={[
            ...(encoding === undefined ? [{ value: '', label: t('import_choose') }] : []),
            ...ENCODINGS.map((value) => ({ value, label: value })),
          ]}
          value={encoding ?? ''}
          onChoose={(chosen) => {
            const found = ENCODINGS.find((each) => each === chosen);
            if (found) state.change({ encoding: found });
          }}
        />
      )}
      {preview && isAmbiguous && (
        <SelectField
          label={t('import_dates')}
          name="import-dates"
          options={[
            ...(preview.dates === null ? [{ value: '', label: t('import_choose') }] : []),
            { value: 'day', label: t('import_dates_day') },
            { value: 'month', label: t('import_dates_month') },
          ]}
          value={preview.dates ?? ''}
          onChoose={(dates) => {
            if (dates) state.change({ dates: dates === 'day' ? 'day' : 'month' });
          }}
        />
      )}
      {preview && <ImportColumns state={state} columns={preview.columns} />}
      {preview && (
        <Checkbox
          label={t('import_update')}
          isChecked={state.choices.value.update ?? false}
          onChange={(update) => state.change({ update })}
        />
      )}
      {preview && state.choices.value.update && (
        <div class="import-part">
          <p class="note">{t('import_update_text')}</p>
          <div class="buttons">
            <button type="button" class="button" onClick={() => void state.saveAll()}>
              <Icon name="save" />
              {t('import_save_all')}
            </button>
          </div>
        </div>
      )}
    </div>
  );
}

function Progress({ state }: { state: ImportState }) {
  const { latest } = state;
  const { rows, done } = latest.value?.isRunning ? latest.value : {};
  return (
    <div class="import-progress">
      <progress
        aria-label={t('import_busy')}
        {...(rows !== undefined && { max: rows, value: done })}
      />
      {rows !== undefined && (
        <span>{t('import_progress', formatNumber(done ?? 0), formatNumber(rows))}</span>
      )}
      <button
        type="button"
        class="button"
        aria-disabled={state.isStopping.value}
        onClick={() => void state.stop()}
      >
        {t(state.isStopping.value ? 'import_stopping' : 'import_stop')}
      </button>
    </div>
  );
}

/** What would happen, or has happened, in numbers and by row. */
function Outcome({ state }: { state: ImportState }) {
  const shown = state.shown.value;
  if (!shown) return null;
  const added = shown.imported + shown.renamed;
  const isPreview = shown.dryRun;
  const lost = state.lost.value.map(({ name }) => name);
  const canImport = isPreview && added + shown.updated > 0;
  return (
    <div class="import-part">
      <p role="status">
        <strong>{formatCount(isPreview ? 'import_would_add' : 'import_added', added)}</strong>{' '}
        {t(
          'import_others',
          formatNumber(shown.renamed),
          formatNumber(shown.duplicates),
          formatNumber(shown.failed),
        )}{' '}
        {shown.updated > 0 &&
          t('label_of', t('import_status_updated'), formatNumber(shown.updated))}
      </p>
      {lost.length > 0 && <p class="note">{t('import_lost', lost.join(', '))}</p>}
      <div class="buttons">
        {canImport && (
          <button
            type="button"
            class="button primary"
            aria-disabled={state.isImporting.value || state.isChecking.value}
            onClick={({ currentTarget }) => void restoreFocusAfter(currentTarget, state.run)}
          >
            {t('import_now')}
          </button>
        )}
        {state.restorable.value.length > 0 && (
          <button
            type="button"
            class="button"
            aria-disabled={state.isUndoing.value}
            onClick={({ currentTarget }) => void restoreFocusAfter(currentTarget, state.restore)}
          >
            {formatCount('import_restore', state.restorable.value.length)}
          </button>
        )}
        <button type="button" class="button" onClick={state.download}>
          <Icon name="save" />
          {t('import_download')}
        </button>
      </div>
      <ImportRows state={state} report={shown} />
    </div>
  );
}

/** Undoes the latest import of the account, for a day. */
function Undo({ state }: { state: ImportState }) {
  const button = useRef<HTMLButtonElement>(null);
  const { latest, undone, isUndoing } = state;
  const count = undone.value?.count ?? 0;
  const { links = 0, edited = 0 } = latest.value?.undo ?? {};
  const label = formatCount('import_undo', links);
  return (
    <div class="import-undo">
      <p role="status">
        {undone.value &&
          formatCount(undone.value.isRestored ? 'import_restored' : 'import_undone', count)}
      </p>
      {links > 0 && !state.isImporting.value && (
        <button
          type="button"
          class="button"
          ref={button}
          aria-disabled={isUndoing.value}
          onClick={() => void restoreFocusAfter(button.current, state.undo)}
        >
          {isUndoing.value ? t('import_undoing') : label}
        </button>
      )}
      <ConfirmDialog
        isOpen={state.isAsking.value}
        title={label}
        confirm={t('link_delete')}
        isDanger
        onConfirm={() => void restoreFocusAfter(button.current, state.confirmUndo)}
        onClose={state.dismissUndo}
      >
        <p>{formatCount('import_undo_edited', edited)}</p>
      </ConfirmDialog>
    </div>
  );
}
