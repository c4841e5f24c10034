import type { SystemResponse } from '../../../../shared/admin/server.ts';
import { ENGLISH } from '../../../../shared/i18n/english.ts';
import { formatBytes } from '../../../../shared/i18n/format-bytes.ts';
import { formatDate } from '../../../../shared/i18n/format-time.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { type PlainKey, t, textOf } from '../../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import type { AdminPageProps } from '../admin.ts';
import { useData } from '../parts/actions.tsx';
import { Facts } from '../parts/Facts.tsx';

type System = SystemResponse['data'];

const STORE_NAMES = {
  'json-file': 'admin_store_files',
  postgresql: 'admin_store_database',
} as const;

const LIMIT_NAMES = {
  rate_limited: 'rate_limited_title',
  account_limit: 'account_limit_title',
  anonymous_limit: 'anonymous_limit_title',
  quota_exceeded: 'quota_exceeded_title',
  too_many_aliases: 'admin_limit_aliases',
  too_many_tags: 'tags_full_title',
  too_many_tokens: 'too_many_tokens_title',
  busy: 'admin_limit_busy',
  store_full: 'store_full_title',
} as const satisfies Record<System['limitsReached'][number]['code'], PlainKey>;

/** Renders the state of the server. */
export function SystemPage({ admin }: AdminPageProps) {
  const { data, failure, refresh } = useData(admin, (client) => client.adminGetSystem());
  const system = data.value;
  return (
    <>
      <FailureNote failure={failure.value} onRetry={refresh} />
      {system && <Sections system={system} />}
    </>
  );
}

function backupText({ lastBackup }: System['store']): string {
  return lastBackup === null ? t('admin_backup_none') : formatDate(lastBackup);
}

function Sections({
  system: { version, started, store, limitsReached, warnings },
}: {
  system: System;
}) {
  return (
    <>
      <section class="card" aria-labelledby="warnings-heading">
        <h2 id="warnings-heading">{t('admin_warnings')}</h2>
        {warnings.length === 0 && <p class="intro">{t('admin_nothing')}</p>}
        {warnings.map((warning) => (
          <p key={warning} class="warning" {...ENGLISH}>
            {warning}
          </p>
        ))}
      </section>
      <section class="card" aria-labelledby="server-heading">
        <h2 id="server-heading">{t('server_heading')}</h2>
        <Facts
          facts={[
            [t('admin_version'), version],
            [t('admin_started'), formatDate(started)],
            [t('admin_store'), textOf(STORE_NAMES, store.kind)],
            [t('admin_size'), formatBytes(store.bytes)],
            [t('admin_writable'), t(store.isWritable ? 'value_yes' : 'value_no')],
            [t('admin_failed_writes'), formatNumber(store.failedWrites)],
            ...(store.kind === 'json-file'
              ? [[t('admin_last_backup'), backupText(store)] as const]
              : []),
          ]}
        />
      </section>
      <section class="card" aria-labelledby="limits-heading">
        <h2 id="limits-heading">{t('admin_limits')}</h2>
        {limitsReached.length === 0 ? (
          <p class="intro">{t('admin_nothing')}</p>
        ) : (
          <Facts
            facts={limitsReached.map(({ code, count }) => [
              textOf(LIMIT_NAMES, code),
              formatNumber(count),
            ])}
          />
        )}
      </section>
    </>
  );
}
