import type { AccountResponse } from '../../../shared/accounts/account.ts';
import { formatLeft } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import type { ConnectionReport } from '../../messaging/protocol.ts';
import { isForServerOnly } from '../../urls/server-origin.ts';
import type { TestState } from './server-form.ts';

/** A tab shows what the extension can't see: a certificate error, a redirect, another program. */
const WORTH_OPENING = new Set<ConnectionReport['outcome']>([
  'no_answer',
  'redirected',
  'unreadable_answer',
  'not_curt',
]);

export type ConnectionStatusProps = {
  test: TestState;
  /** Uses another address, at which Curt answers. */
  onUse(origin: string): Promise<void>;
};

/** The result of the connection test. Always rendered: a live region must exist before its text. */
export function ConnectionStatus({ test, onUse }: ConnectionStatusProps) {
  return (
    <div role="status">
      {test.name === 'failed' && <p class="test-result-text error">{t('test_failed')}</p>}
      {test.name === 'done' && <TestResult {...test} onUse={onUse} />}
    </div>
  );
}

function Quota({ quota: { limit, remaining } }: AccountResponse['data']) {
  if (limit === null || remaining === null) return null;
  return <p class="test-result-details">{t('quota_line', ...formatLeft({ limit, remaining }))}</p>;
}

type TestResultProps = Extract<TestState, { name: 'done' }> & {
  onUse: ConnectionStatusProps['onUse'];
};

function TestResult({ origin, folder, report, onUse }: TestResultProps) {
  const isConnected = report.outcome === 'connected' || report.outcome === 'token_unknown';
  const shortUrls = report.outcome === 'connected' ? report.shortUrls : undefined;
  const isUseless = shortUrls !== undefined && isForServerOnly(shortUrls, origin);
  const isSuccess = report.outcome === 'connected' && !isUseless;
  const httpOrigin = 'httpOrigin' in report ? report.httpOrigin : undefined;
  const isUntrusted = report.outcome === 'no_answer' && origin.startsWith('https:');
  return (
    <div class={isSuccess ? 'test-result success' : 'test-result error'}>
      <p class="test-result-text">
        <Icon name={isSuccess ? 'check' : 'alert'} />
        <span>{resultText(report, new URL(origin).host)}</span>
      </p>
      {shortUrls && (
        <p class="test-result-details">
          {isUseless ? t('base_url_loopback', shortUrls, origin) : t('base_url_other', shortUrls)}
        </p>
      )}
      {report.outcome === 'connected' && report.account && <Quota {...report.account} />}
      {folder && !isConnected && <p class="test-result-details">{t('test_folder', folder)}</p>}
      {httpOrigin && (
        <p class="test-result-details">
          {t('test_http', httpOrigin)}{' '}
          <button type="button" class="button" onClick={() => void onUse(httpOrigin)}>
            {t('test_use_http')}
          </button>
        </p>
      )}
      {/* Firefox trusts it in extensions, too. */}
      {isUntrusted && !httpOrigin && !import.meta.env.FIREFOX && (
        <p class="test-result-details">{t('test_certificate')}</p>
      )}
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
