import { useEffect, useRef } from 'preact/hooks';
import { formatList } from '../../../i18n/format-list.ts';
import { formatDate, formatDuration } from '../../../i18n/format-time.ts';
import { formatNumber } from '../../../i18n/plural.ts';
import { type PlainKey, t } from '../../../i18n/translate.ts';
import type { RecordDestinations } from '../../../links/destinations.ts';
import type { EditRequest } from '../../../links/edit-request.ts';
import { aliasOf, hostOf } from '../../../links/link-address.ts';
import type { LinkRecord } from '../../../links/link-record.ts';
import {
  definitionOf,
  PLAIN_NAMES,
  type PlainField,
  type PlainValues,
} from '../../../links/plain-fields.ts';
import { formatUnit } from '../../link-form/form-summaries.ts';
import { EXPIRES_IN, EXPIRY_UNITS } from '../../link-form/link-form.ts';
import { formatRule } from '../../rules/format-rule.ts';
import { STATUS_TEXTS } from '../link-texts.ts';
import type { Conflict, EditState } from '../state/edit-state.ts';

/** Shows what was changed here and elsewhere, and lets the user choose. */
export function ConflictDialog({ state }: { state: EditState }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const conflict = state.conflict.value;
  useEffect(() => {
    if (conflict) dialog.current?.showModal();
  }, [conflict]);
  if (!conflict) return null;

  function settle(act: () => unknown): void {
    act();
    dialog.current?.close();
  }

  return (
    <dialog
      ref={dialog}
      class="dialog conflict"
      aria-labelledby="conflict-title"
      aria-describedby="conflict-text"
      onClose={state.dismissConflict}
    >
      <h2 id="conflict-title">{t('conflict_title')}</h2>
      <p id="conflict-text">{t('conflict_text')}</p>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('conflict_mine')}</th>
            <th scope="col">{t('conflict_theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {conflictRows(conflict).map(({ label, mine, theirs }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td dir="auto">{mine}</td>
              <td dir="auto">{theirs}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="buttons">
        <button type="button" class="button primary" onClick={() => settle(state.keepMine)}>
          {t('conflict_keep')}
        </button>
        <button type="button" class="button" onClick={() => settle(state.takeTheirs)}>
          {t('conflict_take')}
        </button>
        <button type="button" class="button plain" onClick={() => dialog.current?.close()}>
          {t('cancel')}
        </button>
      </div>
    </dialog>
  );
}

/** A field that somebody changed, with its values as text. */
type ConflictRow = { label: string; mine: string; theirs: string };

type Column = {
  label: PlainKey;
  /** The value of a link as text. */
  of(link: LinkRecord): string;
  /** The value in the changes as text; undefined if they don't change it. */
  in(changes: EditRequest): string | undefined;
};

const COLUMNS: Column[] = [
  { label: 'field_target', of: (link) => link.originalUrl, in: (edit) => edit.originalUrl },
  { label: 'field_alias', of: aliasOf, in: (edit) => edit.customAlias },
  { label: 'field_domain', of: hostOf, in: (edit) => edit.domain },
  ...PLAIN_NAMES.map(toColumn),
  destinationColumn('startsAt', 'field_starts_at', (startsAt) => startsAt && formatDate(startsAt)),
  {
    label: 'field_expiry',
    of: (link) => expiryText(link.expiresAt),
    in: (edit) => given(edit.expiresAt, expiryText) ?? durationText(edit),
  },
  {
    label: 'has_password',
    of: (link) => passwordText(link.hasPassword),
    in: (edit) => given(edit.password, (password) => passwordText(password !== null)),
  },
  {
    label: 'field_max_visits',
    of: ({ maxVisits }) => limitText(maxVisits),
    in: (edit) => given(edit.maxVisits, limitText),
  },
  destinationColumn('goneUrl', 'field_gone_url', (url) => url),
  destinationColumn('card', 'card_heading', (card) =>
    [card?.title, card?.description, card?.imageUrl].filter(Boolean).join('\n'),
  ),
  destinationColumn('rules', 'rules_heading', (rules) => rules.map(formatRule).join('\n')),
  { label: 'filter_status', of: (link) => t(STATUS_TEXTS[link.status]), in: () => undefined },
];

/** Returns what was changed here, elsewhere, or in both places. What was changed elsewhere only stays. */
export function conflictRows({ mine, before, theirs }: Conflict): ConflictRow[] {
  return COLUMNS.flatMap((column) => {
    const wanted = column.in(mine);
    const now = column.of(theirs);
    // A password may be another one, although both links have one.
    const isChanged = wanted !== undefined || now !== column.of(before);
    return isChanged
      ? [{ label: t(column.label), mine: wanted ?? t('conflict_unchanged'), theirs: now }]
      : [];
  });
}

function given<T>(value: T | undefined, format: (value: T) => string): string | undefined {
  return value === undefined ? undefined : format(value);
}

function toColumn(name: PlainField): Column {
  const definition = definitionOf(name);
  const toText = (value: PlainValues[PlainField]) => {
    if (typeof value === 'boolean') return t(value ? 'value_yes' : 'value_no');
    if (definition.control === 'number' && typeof value === 'number')
      return definition.unit ? formatDuration(value) : formatNumber(value);
    return (Array.isArray(value) ? formatList(value) : value?.toString()) || t('value_unset');
  };
  return {
    label: definition.label,
    of: (link) => toText(link[name]),
    in: (edit) => given(edit[name], toText),
  };
}

function destinationColumn<K extends keyof RecordDestinations>(
  name: K,
  label: PlainKey,
  format: (value: RecordDestinations[K]) => string | null,
): Column {
  const toText = (value: RecordDestinations[K]) => format(value) || t('value_unset');
  return {
    label,
    of: (link) => toText(link[name]),
    in: (edit) => given(edit[name] as RecordDestinations[K] | undefined, toText),
  };
}

function expiryText(expiresAt: string | null): string {
  return expiresAt ? formatDate(expiresAt) : t('expiry_never');
}

/** An expiry that counts from when it is saved. */
function durationText(edit: EditRequest): string | undefined {
  const unit = EXPIRY_UNITS.find((each) => edit[EXPIRES_IN[each]] !== undefined);
  return unit && t('expires_after', formatUnit(edit[EXPIRES_IN[unit]] ?? 0, unit));
}

function passwordText(hasPassword: boolean): string {
  return t(hasPassword ? 'value_yes' : 'value_unset');
}

function limitText(maxVisits: number | null | undefined): string {
  return maxVisits ? formatNumber(maxVisits) : t('value_unset');
}
