import { useRef } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { MenuButton } from '../../../../shared/ui/MenuButton.tsx';
import type { ListedLink } from '../../../links/link.ts';
import type { FilesState } from './files-state.ts';

export type FilesMenuProps = { state: FilesState; links: ListedLink[] };

/** The menu that exports the list to a file and imports one. */
export function FilesMenu({ state, links }: FilesMenuProps) {
  const input = useRef<HTMLInputElement>(null);
  const isBusy = state.isBusy.value;
  const isDisabled = links.length === 0;

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
        items={[
          {
            label: t('export_json'),
            icon: 'save',
            isDisabled,
            onSelect: () => void state.exportLinks(links, 'json'),
          },
          {
            label: t('export_csv'),
            icon: 'save',
            isDisabled,
            onSelect: () => void state.exportLinks(links, 'csv'),
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
