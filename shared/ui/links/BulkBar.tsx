import { useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { TAG_MAX_CHARACTERS } from '../../bounds.ts';
import { formatCount, formatNumber } from '../../i18n/plural.ts';
import { type PlainKey, t } from '../../i18n/translate.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { DomainSelect } from '../DomainSelect.tsx';
import { Field, InputField, SelectField } from '../Field.tsx';
import { Form } from '../Form.tsx';
import { Icon } from '../Icon.tsx';
import { fromLocalTime, isLocalTime, LOCAL_TIME_INPUT } from '../link-form/local-time.ts';
import type { MenuAction } from '../Menu.tsx';
import { MenuButton } from '../MenuButton.tsx';
import {
  type BulkField,
  bulkActions,
  exportItems,
  fieldActions,
  selectedTags,
} from './bulk-actions.ts';
import { focusRowInSight } from './in-sight.ts';
import { formatTotal } from './link-texts.ts';
import type { LinksState } from './state/links-state.ts';

/** Renders what can be done with all selected links: one line, or a menu where that is too narrow. */
export function BulkBar({ state }: { state: LinksState }) {
  /** In a narrow bar, the field is there only when it is wanted. */
  const isTagging = useSignal(false);
  const asked = useSignal<BulkField | undefined>(undefined);
  const { progress } = state.allChanger;
  if (progress.value) return <BulkProgress {...progress.value} onStop={state.allChanger.stop} />;
  const selected = state.selected.value;
  if (selected.length === 0) return null;
  const total = state.loading.total.value;
  const isAll = state.isAllSelected.value;
  const isComplete =
    isAll || (selected.length === state.loading.links.value.length && !state.loading.hasMore.value);
  const selectItem: MenuAction = {
    label: total?.isExact ? t('select_all_count', formatNumber(total.count)) : t('select_all'),
    icon: 'check',
    onSelect: state.selectAll,
  };
  // An export has no deleted links.
  const isDeleted = state.loading.status.value === 'deleted';
  const actions = bulkActions(state);
  const more = [
    ...fieldActions(state, (field) => {
      asked.value = field;
    }),
    ...exportItems(state),
  ];
  const tagItem: MenuAction = {
    label: t('tag_add'),
    icon: 'tag',
    onSelect() {
      isTagging.value = true;
    },
  };

  /** The bar disappears with the selection, and the focus moves to a row that was selected, or to another. */
  function clear(): void {
    focusRowInSight('.selected');
    state.clearSelection();
  }

  return (
    <section class="bulk-bar" aria-label={t('bulk_heading')}>
      <p role="status">
        {t(
          'bulk_selected',
          isAll && total ? formatTotal(total) : formatCount('links_count', selected.length),
        )}
      </p>
      {!isComplete && (
        <button
          type="button"
          class={isDeleted ? 'button plain' : 'button plain bulk-wide'}
          onClick={selectItem.onSelect}
        >
          {selectItem.label}
        </button>
      )}
      {!isDeleted && (
        <>
          <div class={isTagging.value ? 'bulk-tag shown' : 'bulk-tag'}>
            <AddTag
              known={state.knownTags.value}
              isFocused={isTagging.value}
              onAdd={(tag) => {
                isTagging.value = false;
                void state.changeSelected({ addTag: tag });
              }}
            />
          </div>
          <div class="bulk-wide">
            {actions.map(({ label, icon, onSelect }) => (
              <button type="button" class="button" key={label} onClick={onSelect}>
                <Icon name={icon} />
                {label}
              </button>
            ))}
            {more.length > 0 && (
              <MenuButton label={t('bulk_actions')} icon="more" items={() => more} />
            )}
          </div>
          <div class="bulk-narrow">
            <MenuButton
              label={t('bulk_actions')}
              items={() => [...(isComplete ? [] : [selectItem]), tagItem, ...actions, ...more]}
            />
          </div>
        </>
      )}
      <button
        type="button"
        class="button square"
        aria-label={t('select_none')}
        title={t('select_none')}
        onClick={clear}
      >
        <Icon name="close" />
      </button>
      <BulkDialog
        field={asked.value}
        state={state}
        onClose={() => {
          asked.value = undefined;
        }}
      />
    </section>
  );
}

const FIELD_TITLES = {
  tag: 'tag_take',
  expiresAt: 'expiry_change',
  domain: 'domain_change',
} as const satisfies Record<BulkField, PlainKey>;

type BulkDialogProps = { field: BulkField | undefined; state: LinksState; onClose(): void };

/** Asks for a value that all selected links get, or for a tag that they lose. */
function BulkDialog({ field, state, onClose }: BulkDialogProps) {
  const value = useSignal('');
  const issue = useSignal<string | undefined>(undefined);
  const tags = selectedTags(state);
  const first = { tag: tags[0] ?? '', expiresAt: '', domain: state.domains.value[0]?.host ?? '' };
  useLayoutEffect(() => {
    value.value = field ? first[field] : '';
    issue.value = undefined;
  }, [field]);
  if (!field) return null;

  function isValid(): boolean {
    const isDate = field !== 'expiresAt' || value.value === '' || isLocalTime(value.value);
    issue.value = isDate ? undefined : t('field_expiry_missing');
    return isDate;
  }

  function apply(): void {
    if (field === 'tag') void state.changeSelected({ removeTag: value.value });
    else if (field === 'domain') void state.changeSelected({ domain: value.value });
    else {
      const expiresAt = value.value ? fromLocalTime(value.value) : null;
      void state.changeSelected({ expiresAt });
    }
  }

  return (
    <ConfirmDialog
      isOpen
      title={t(FIELD_TITLES[field])}
      confirm={t('save')}
      mayConfirm={isValid}
      onConfirm={apply}
      onClose={onClose}
    >
      {field === 'tag' && (
        <SelectField
          label={t('filter_tag')}
          options={tags.map((tag) => ({ value: tag, label: tag }))}
          value={value.value}
          onChoose={(tag) => {
            value.value = tag;
          }}
        />
      )}
      {field === 'expiresAt' && (
        <InputField
          label={t('field_expiry')}
          hint={t('hint_expiry')}
          issue={issue.value}
          {...LOCAL_TIME_INPUT}
          value={value.value}
          onInput={({ currentTarget }) => {
            value.value = currentTarget.value;
          }}
        />
      )}
      {field === 'domain' && (
        <Field label={t('field_domain')}>
          {(control) => (
            <DomainSelect
              {...control}
              domains={state.domains.value}
              value={value.value}
              onChoose={(host) => {
                value.value = host;
              }}
            />
          )}
        </Field>
      )}
    </ConfirmDialog>
  );
}

type AddTagProps = {
  known: string[];
  /** Whether the field was just asked for. */
  isFocused: boolean;
  onAdd: (tag: string) => void;
};

/** A field for a tag to add to all selected links. */
function AddTag({ known, isFocused, onAdd }: AddTagProps) {
  const id = useId();
  const text = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, [isFocused]);
  return (
    <Form
      class="add-tag"
      onSubmit={() => {
        const tag = text.value.trim();
        text.value = '';
        if (tag !== '') onAdd(tag);
      }}
    >
      <input
        ref={field}
        class="input"
        dir="auto"
        aria-label={t('tag_add')}
        placeholder={t('tag_add')}
        list={id}
        value={text.value}
        maxLength={TAG_MAX_CHARACTERS}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        autocomplete="off"
      />
      <datalist id={id}>
        {known.map((tag) => (
          <option value={tag} key={tag} />
        ))}
      </datalist>
      <button type="submit" class="button">
        {t('add')}
      </button>
    </Form>
  );
}

type BulkProgressProps = { done: number; total: number; onStop: () => void };

/** How far a change of all links has come. What was changed before it is stopped stays so. */
function BulkProgress({ done, total, onStop }: BulkProgressProps) {
  return (
    <section class="bulk-bar" aria-label={t('bulk_heading')}>
      <p>{formatCount('bulk_progress', total, formatNumber(done))}</p>
      <progress class="bulk-progress" aria-label={t('bulk_heading')} value={done} max={total} />
      <button type="button" class="button" onClick={onStop}>
        {t('bulk_stop')}
      </button>
    </section>
  );
}

/** Asks before all links of a list are changed, with their number as the server counts it. */
export function ConfirmAll({ changer }: { changer: LinksState['allChanger'] }) {
  const pending = changer.pending.value;
  if (!pending) return null;
  const label = t(pending.label);
  return (
    <ConfirmDialog
      isOpen
      title={t('label_of', label, formatCount('links_count', pending.count))}
      confirm={label}
      isDanger={pending.change.isDeleted === true}
      onConfirm={() => void changer.confirm()}
      onClose={changer.dismiss}
    >
      <p>{t('bulk_all_text')}</p>
    </ConfirmDialog>
  );
}
