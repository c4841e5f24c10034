import type { RefObject } from 'preact';
import type { AccountResponse } from '../../../shared/accounts/account.ts';
import { formatLeft } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { InputField } from '../../../shared/ui/Field.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import type { ConnectionReport } from '../../messaging/protocol.ts';
import {
  isForServerOnly,
  isLoopback,
  isPlainHttp,
  parseServerAddress,
} from '../../urls/server-origin.ts';
import type { ServerForm, TestState } from './server-form.ts';

type ServerAddressFieldProps = {
  form: ServerForm;
  /** Whether the organization's policy sets the address. @default false */
  isFixed?: boolean;
  /** Receives the input element. */
  input?: RefObject<HTMLInputElement | null>;
  /** An error of this server. */
  problem?: string | undefined;
  onChange?: (address: string) => void;
};

/** Renders the field for a server's address, with notices about the address in it. */
export function ServerAddressField({
  form,
  isFixed = false,
  input,
  problem,
  onChange = form.change,
}: ServerAddressFieldProps) {
  const issue = form.issue.value;
  return (
    <>
      <InputField
        label={t('field_server')}
        hint={isFixed ? t('managed_setting') : undefined}
        issue={issue ? t(issue) : problem}
        {...(input && { ref: input })}
        class="input mono"
        type="url"
        isUrl
        name="server"
        value={form.address.value}
        disabled={isFixed}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <AddressNotice address={form.address.value} />
    </>
  );
}

function AddressNotice({ address }: { address: string }) {
  const parsed = parseServerAddress(address);
  if (!parsed.ok) return null;
  if (isPlainHttp(parsed.origin)) {
    return <p class="warning">{t('plain_http_warning', new URL(parsed.origin).host)}</p>;
  }
  return isLoopback(parsed.origin) ? <p class="hint">{t('loopback_notice')}</p> : null;
}

/** A tab shows what the extension can't see: a certificate error, a redirect, another program. */
const WORTH_OPENING = new Set<ConnectionReport['outcome']>([
  'unreachable',
  'redirected',
  'unreadable_answer',
  'not_curt',
]);

type ConnectionStatusProps = {
  test: TestState;
  /** Uses another address, at which Curt answers. */
  onUse(origin: string): Promise<void>;
  /** Takes everything along to another address of the same server. */
  onMove(from: string, to: string): Promise<void>;
};

/** Renders the result of the connection test. Always rendered: a live region must exist before its text. */
export function ConnectionStatus({ test, ...actions }: ConnectionStatusProps) {
  return (
    <div role="status">
      {test.name === 'failed' && <p class="test-result-text error">{t('test_failed')}</p>}
      {test.name === 'done' && <TestResult {...test} {...actions} />}
    </div>
  );
}

function Quota({ quota: { limit, remaining } }: AccountResponse['data']) {
  if (limit === null || remaining === null) return null;
  return <p class="test-result-details">{t('quota_line', ...formatLeft({ limit, remaining }))}</p>;
}

type TestResultProps = Extract<TestState, { name: 'done' }> & Omit<ConnectionStatusProps, 'test'>;

function TestResult({ origin, folder, report, onUse, onMove }: TestResultProps) {
  const isConnected = report.outcome === 'connected' || report.outcome === 'token_unknown';
  const shortUrls = report.outcome === 'connected' ? report.shortUrls : undefined;
  const isUseless = shortUrls !== undefined && isForServerOnly(shortUrls, origin);
  const isSuccess = report.outcome === 'connected' && !isUseless;
  const httpOrigin = 'httpOrigin' in report ? report.httpOrigin : undefined;
  const movedTo = 'movedTo' in report ? report.movedTo : undefined;
  const movedFrom = 'movedFrom' in report ? report.movedFrom : undefined;
  const isUntrusted = report.outcome === 'unreachable' && origin.startsWith('https:');
  return (
    <div class={isSuccess ? 'test-result success' : 'test-result error'}>
      <p class="test-result-text">
        <Icon name={isSuccess ? 'check' : 'alert'} />
        <span>
          {movedTo ? t('server_moved_title', movedTo) : resultText(report, new URL(origin).host)}
        </span>
      </p>
      {shortUrls && (
        <p class="test-result-details">
          {isUseless ? t('base_url_loopback', shortUrls, origin) : t('base_url_other', shortUrls)}
        </p>
      )}
      {(movedTo || movedFrom) && (
        <p class="test-result-details">
          {movedFrom ? t('server_same', movedFrom) : t('server_moved_text')}{' '}
          <button
            type="button"
            class="button"
            onClick={() => void onMove(movedFrom ?? origin, movedTo ?? origin)}
          >
            {t('use_new_address')}
          </button>
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
      {WORTH_OPENING.has(report.outcome) && !movedTo && (
        <p class="test-result-details">
          <a href={origin} target="_blank" rel="noreferrer">
            {t('open_in_tab')}
          </a>
        </p>
      )}
    </div>
  );
}

const FAILED_TEXTS = {
  unreachable: 'test_no_answer',
  redirected: 'test_redirected',
  gateway_error: 'test_gateway_error',
  unreadable_answer: 'test_unreadable_answer',
  not_curt: 'test_not_curt',
  timeout: 'test_timed_out',
  error: 'test_refused',
} as const;

function resultText(report: ConnectionReport, host: string): string {
  if (report.outcome === 'connected') return t('connected', report.version);
  if (report.outcome === 'token_unknown') return t('test_token_unknown', report.version);
  return t(FAILED_TEXTS[report.outcome], host);
}
