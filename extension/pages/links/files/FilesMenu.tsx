import { useRef } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { MenuButton } from '../../../../shared/ui/MenuButton.tsx';
import type { FilesState } from './files-state.ts';

export type FilesMenuProps = {
  state: FilesState;
  /** Whether there is nothing to export. */
  isEmpty: boolean;
};

/** The menu that exports the account's links to a file and imports one. */
export function FilesMenu({ state, isEmpty }: FilesMenuProps) {
  const input = useRef<HTMLInputElement>(null);
  const isBusy = state.isBusy.value;

  async function importChosen(field: HTMLInputElement): Promise<void> {
    const [file] = field.files ?? [];
    if (!file) return;
    await state.importFile(file);
    // Reset, so that the same file can be chosen again after a correction.
    field.value = '';
  }

  return (
    <>
      <MenuButton
        label={t('files_heading')}
        hint={t('files_hint')}
        items={() => [
          {
            label: t('export_json'),
            icon: 'save',
            isDisabled: isEmpty,
            onSelect: () => void state.exportAll('json'),
          },
          {
            label: t('export_csv'),
            icon: 'save',
            isDisabled: isEmpty,
            onSelect: () => void state.exportAll('csv'),
          },
          {
            label: t(isBusy ? 'import_busy' : 'import_file'),
            icon: 'load',
            isDisabled: isBusy,
            onSelect: () => input.current?.click(),
          },
        ]}
      />
      <input
        type="file"
        hidden
        ref={input}
        accept=".json,.csv,application/json,text/csv"
        onChange={(event) => void importChosen(event.currentTarget)}
      />
    </>
  );
}
