import { signal } from '@preact/signals';
import { type FailureText, failureText } from '../../../../shared/i18n/failure-text.ts';
import type { ExportFormat } from '../../../../shared/links/transfer.ts';
import { saveFile } from '../../../../shared/ui/save-file.ts';
import type { Dashboard } from '../../app/dashboard.ts';

export type ExportState = ReturnType<typeof createExportState>;

/** Downloads all links of the account. */
export function createExportState({ api, origin }: Pick<Dashboard, 'api' | 'origin'>) {
  const running = signal<ExportFormat | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);

  async function save(format: ExportFormat): Promise<void> {
    if (running.value) return;
    running.value = format;
    const result = await api.call((client, token) =>
      client.exportLinks(token, { format, secrets: false }),
    );
    running.value = undefined;
    failure.value = result.ok ? undefined : failureText(result, origin);
    if (result.ok) saveFile(result.data, `curt-links.${format}`);
  }

  return { running, failure, save };
}
