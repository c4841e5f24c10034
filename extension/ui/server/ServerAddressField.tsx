import type { RefObject } from 'preact';
import { t } from '../../../shared/i18n/translate.ts';
import { InputField } from '../../../shared/ui/InputField.tsx';
import { isLoopback, isPlainHttp, parseServerAddress } from '../../urls/server-origin.ts';
import type { ServerForm } from './server-form.ts';

export type ServerAddressFieldProps = {
  form: ServerForm;
  /** Whether the organization's policy sets the address. @default false */
  isFixed?: boolean;
  /** Receives the input element. */
  input?: RefObject<HTMLInputElement | null>;
  /** An error of this server. */
  problem?: string | undefined;
  onChange?: (address: string) => void;
};

/** The field for a server's address, with notices about the address in it. */
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
        isCode
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
