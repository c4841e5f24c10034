import { t } from '../i18n.ts';
import { isPlainHttp } from '../server-address.ts';

export type NoticesProps = { serverOrigin: string; isLoopbackNews: boolean };

/** What is worth knowing of the server, said quietly at the foot. */
export function Notices({ serverOrigin, isLoopbackNews }: NoticesProps) {
  if (isLoopbackNews) return <footer class="notice">{t('notice_loopback')}</footer>;
  if (isPlainHttp(serverOrigin)) {
    return (
      <footer class="notice notice-warning">
        {t('notice_plain_http', new URL(serverOrigin).host)}
      </footer>
    );
  }
  return null;
}
