import { t } from '../../../shared/i18n/translate.ts';
import type { Account } from '../../messaging/protocol.ts';

export type ServersProps = {
  /** Path of the page that shows one of them. */
  page: string;
  /** Those in use. */
  accounts: Account[];
  /** Origin of the one that is shown. */
  shown: string;
};

/** Switches between the accounts of several servers. */
export function Servers({ page, accounts, shown }: ServersProps) {
  if (accounts.length < 2) return null;
  return (
    <nav class="accounts" aria-label={t('server_heading')}>
      {accounts.map(({ origin }) => (
        <a
          key={origin}
          class="button"
          href={serverUrl(page, origin)}
          aria-current={origin === shown ? 'page' : undefined}
        >
          {new URL(origin).host}
        </a>
      ))}
    </nav>
  );
}

/** The address of a page about an account. */
export function serverUrl(page: string, origin: string): string {
  return `${page}?${new URLSearchParams({ server: origin })}`;
}
