import { t } from '../../../shared/i18n/translate.ts';
import { Icon, type IconName } from '../../../shared/ui/Icon.tsx';
import { lazy } from '../../../shared/ui/lazy.ts';
import { LinkList } from '../../../shared/ui/links/LinkList.tsx';
import type { LinksState } from '../../../shared/ui/links/state/links-state.ts';
import { MenuButton } from '../../../shared/ui/MenuButton.tsx';
import type { ServerTokens } from '../../messaging/protocol.ts';
import { Servers, serverUrl } from '../../ui/server/account-pages.tsx';
import { LINKS_PAGE, OPTIONS_PAGE, STATISTICS_PAGE } from '../../urls/extension-pages.ts';
import type { FilesState } from './files-state.ts';

const ImportPanel = lazy(
  async () => (await import('../../../shared/ui/transfer/ImportPanel.tsx')).ImportPanel,
);

export type LinksPageProps = {
  state: LinksState;
  files: FilesState;
  serverOrigin: string;
  /** Those with a token in use. */
  servers: ServerTokens[];
};

/** Renders the links of an account. */
export function LinksPage({ state, files, serverOrigin, servers }: LinksPageProps) {
  return (
    <main class="page">
      <header class="head">
        <img class="mark" src="/icon/96.png" alt="" />
        <h1>{t('links_title')}</h1>
        <FilesMenu state={files} isEmpty={state.loading.links.value.length === 0} />
        <HeadLink
          href={serverUrl(STATISTICS_PAGE, serverOrigin)}
          icon="statistics"
          text={t('nav_statistics')}
        />
        <HeadLink href={OPTIONS_PAGE} icon="settings" text={t('settings')} />
      </header>
      <Servers page={LINKS_PAGE} servers={servers} shown={serverOrigin} />
      <div class="files-failure" role="alert">
        {files.failure.value && (
          <p>
            <Icon name="alert" />
            {files.failure.value}
          </p>
        )}
      </div>
      {files.isImportOpen.value && (
        <ImportPanel state={files.imported} onClose={() => files.openImport(false)} />
      )}
      <LinkList state={state} isFilling={files.imported.isImporting.value} />
    </main>
  );
}

/** Renders a link to another page: on a phone, its icon only. */
function HeadLink({ href, icon, text }: { href: string; icon: IconName; text: string }) {
  return (
    <a class="button plain" href={href} aria-label={text}>
      <Icon name={icon} />
      <span class="head-text">{text}</span>
    </a>
  );
}

type FilesMenuProps = {
  state: FilesState;
  /** Whether there is nothing to export. */
  isEmpty: boolean;
};

/** Renders the menu that exports the account's links to a file and imports one. */
function FilesMenu({ state, isEmpty }: FilesMenuProps) {
  return (
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
          label: t('import_file'),
          icon: 'load',
          onSelect: () => state.openImport(true),
        },
      ]}
    />
  );
}
