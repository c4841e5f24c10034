import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SystemResponse } from '../../../../shared/admin/system.ts';
import { ENGLISH } from '../../../../shared/i18n/english.ts';
import type { FailureText } from '../../../../shared/i18n/failure-text.ts';
import { formatBytes } from '../../../../shared/i18n/format-bytes.ts';
import { formatDate } from '../../../../shared/i18n/format-time.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import type { AdminPageProps } from '../admin.ts';
import { adminFailure } from '../parts/admin-failure.ts';
import { Facts } from '../parts/Facts.tsx';

type System = SystemResponse['data'];

const STORE_NAMES = {
  'json-file': 'admin_store_files',
  postgresql: 'admin_store_database',
} as const;

/** The state of the server. */
export function SystemPage({ admin }: AdminPageProps) {
  const system = useSignal<System | undefined>(undefined);
  const failure = useSignal<FailureText | undefined>(undefined);

  async function refresh(): Promise<void> {
    const result = await admin.api.call((client) => client.system());
    failure.value = result.ok ? undefined : adminFailure(result, admin.origin);
    if (result.ok) system.value = result.data;
  }

  useEffect(() => void refresh(), [admin]);
  return (
    <>
      <FailureNote failure={failure.value} onRetry={refresh} />
      {system.value && <Sections system={system.value} />}
    </>
  );
}

function backupText({ lastBackup }: System['store']): string {
  return lastBackup === null ? t('value_none') : formatDate(lastBackup);
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
        {warnings.length === 0 && <p class="intro">{t('value_none')}</p>}
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
            [t('admin_store'), t(STORE_NAMES[store.kind])],
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
          <p class="intro">{t('value_none')}</p>
        ) : (
          <Facts facts={limitsReached.map(({ code, count }) => [code, formatNumber(count)])} />
        )}
      </section>
    </>
  );
}
