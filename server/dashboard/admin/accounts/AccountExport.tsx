import { useSignal } from '@preact/signals';
import type { AdminAccount } from '../../../../shared/admin/accounts.ts';
import type { FailureText } from '../../../../shared/i18n/failure-text.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { ExportFormat } from '../../../../shared/links/transfer.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import { saveFile } from '../../../../shared/ui/save-file.ts';
import type { Admin } from '../admin.ts';
import { adminFailure } from '../parts/admin-failure.ts';

/** All links of an account as a file. */
export function AccountExport({ admin, account }: { admin: Admin; account: AdminAccount }) {
  const failure = useSignal<FailureText | undefined>(undefined);

  async function save(format: ExportFormat): Promise<void> {
    const result = await admin.api.call((client) => client.exportAccount(account.id, { format }));
    failure.value = result.ok ? undefined : adminFailure(result, admin.origin);
    if (result.ok) saveFile(result.data, `curt-${account.id}.${format}`);
  }

  return (
    <section class="card" aria-labelledby="export-heading">
      <h2 id="export-heading" tabIndex={-1}>
        {t('export_heading')}
      </h2>
      <p class="intro">{t('admin_export_intro')}</p>
      <FailureNote failure={failure.value} />
      <div class="buttons">
        <button type="button" class="button" onClick={() => save('json')}>
          {t('export_json')}
        </button>
        <button type="button" class="button" onClick={() => save('csv')}>
          {t('export_csv')}
        </button>
      </div>
    </section>
  );
}
