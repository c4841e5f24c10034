import { t } from '../i18n.ts';
import { isLoopback, isPlainHttp } from '../server-address.ts';

/** What is worth knowing of the server, said quietly at the foot. */
export function Notices({ serverOrigin }: { serverOrigin: string }) {
  if (isLoopback(serverOrigin)) return <footer class="notice">{t('notice_loopback')}</footer>;
  if (isPlainHttp(serverOrigin)) {
    return (
      <footer class="notice notice-warning">
        {t('notice_plain_http', new URL(serverOrigin).host)}
      </footer>
    );
  }
  return null;
}
