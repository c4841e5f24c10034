import { signal } from '@preact/signals';
import type { PlainKey } from '../../../shared/i18n/translate.ts';
import type { ConnectionReport } from '../../messaging/protocol.ts';
import type { Send } from '../../messaging/send.ts';
import { parseServerAddress } from '../../urls/server-origin.ts';

export type TestState =
  | { name: 'idle' }
  | { name: 'testing' }
  | { name: 'failed' }
  | {
      name: 'done';
      origin: string;
      /** The path that was typed after it; empty for none. */
      folder: string;
      report: ConnectionReport;
    };

export type ServerForm = ReturnType<typeof createServerForm>;

/** Creates the state of a server address field and its connection test. */
export function createServerForm(send: Send, originAtStart: string) {
  const address = signal(originAtStart);
  const issue = signal<PlainKey | undefined>(undefined);
  const test = signal<TestState>({ name: 'idle' });
  let folder = '';

  function change(value: string): void {
    folder = '';
    address.value = value;
    issue.value = undefined;
    test.value = { name: 'idle' };
  }

  /** Parses the address in the field. @returns its origin, or undefined after setting `issue` */
  function read(): string | undefined {
    const parsed = parseServerAddress(address.value);
    issue.value = parsed.ok ? undefined : parsed.code;
    if (!parsed.ok) return undefined;
    // The field keeps the origin only.
    folder = parsed.folder || folder;
    address.value = parsed.origin;
    return parsed.origin;
  }

  let running: Promise<void> | undefined;

  /** A test of the same address that is running counts for all. */
  async function testConnection(): Promise<void> {
    const origin = read();
    if (!origin) return;
    if (test.value.name !== 'testing') running = run(origin);
    await running;
  }

  async function run(origin: string): Promise<void> {
    test.value = { name: 'testing' };
    const answer = await send('testConnection', { origin });
    // The address may have changed meanwhile.
    if (address.value !== origin) return;
    test.value = answer.ok
      ? { name: 'done', origin, folder, report: answer.data }
      : { name: 'failed' };
  }

  /** Whether the last test reached a Curt server, which may not know the account. */
  function isCurt(): boolean {
    const last = test.value;
    return last.name === 'done' && ['connected', 'token_unknown'].includes(last.report.outcome);
  }

  /** Whether the server of the last test doesn't know the token that is in use. */
  function isTokenUnknown(): boolean {
    return test.value.name === 'done' && test.value.report.outcome === 'token_unknown';
  }

  /** Another address of the server of the last test, which still has the account. */
  function movedFrom(): string | undefined {
    const last = test.value;
    if (last.name !== 'done' || last.report.outcome !== 'connected') return undefined;
    return last.report.movedFrom;
  }

  return { address, issue, test, change, read, testConnection, isCurt, isTokenUnknown, movedFrom };
}
