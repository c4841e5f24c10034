import type { AccountResponse } from '../../../shared/accounts/account.ts';
import { formatLeft } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import type { ConnectionReport } from '../../messaging/protocol.ts';
import type { TestState } from './server-form.ts';

/** A tab shows what the extension can't see: a certificate error, a redirect, another program. */
const WORTH_OPENING = new Set<ConnectionReport['outcome']>([
  'no_answer',
  'redirected',
  'unreadable_answer',
  'not_curt',
]);

/** The result of the connection test. Always rendered: a live region must exist before its text. */
export function ConnectionStatus({ test }: { test: TestState }) {
  return (
    <div role="status">
      {test.name === 'failed' && <p class="test-result-text error">{t('test_failed')}</p>}
      {test.name === 'done' && <TestResult origin={test.origin} report={test.report} />}
    </div>
  );
}

function Quota({ quota: { limit, remaining } }: AccountResponse['data']) {
  if (limit === null || remaining === null) return null;
  return <p class="test-result-details">{t('quota_line', ...formatLeft({ limit, remaining }))}</p>;
}

function TestResult({ origin, report }: { origin: string; report: ConnectionReport }) {
  const isSuccess = report.outcome === 'connected';
  return (
    <div class={isSuccess ? 'test-result success' : 'test-result error'}>
      <p class="test-result-text">
        <Icon name={isSuccess ? 'check' : 'alert'} />
        <span>{resultText(report, new URL(origin).host)}</span>
      </p>
      {report.outcome === 'connected' && report.account && <Quota {...report.account} />}
      {WORTH_OPENING.has(report.outcome) && (
        <p class="test-result-details">
          <a href={origin} target="_blank" rel="noreferrer">
            {t('open_in_tab')}
          </a>
        </p>
      )}
    </div>
  );
}

function resultText(report: ConnectionReport, host: string): string {
  switch (report.outcome) {
    case 'connected':
      return t('connected', report.version);
    case 'token_unknown':
      return t('test_token_unknown', report.version);
    case 'no_answer':
      return t('test_no_answer', host);
    case 'redirected':
      return t('test_redirected', host);
    case 'gateway_error':
      return t('test_gateway_error', host);
    case 'unreadable_answer':
      return t('test_unreadable_answer', host);
    case 'not_curt':
      return t('test_not_curt', host);
    case 'timed_out':
      return t('test_timed_out', host);
    case 'error':
      return t('test_refused', host);
  }
}
