import { signal } from '@preact/signals';
import type { PlainKey } from '../../../shared/i18n/translate.ts';
import type { ConnectionReport, Send } from '../../messaging/protocol.ts';
import { parseServerAddress } from '../../urls/server-origin.ts';

export type TestState =
  | { name: 'idle' }
  | { name: 'testing' }
  | { name: 'failed' }
  | { name: 'done'; origin: string; report: ConnectionReport };

export type ServerForm = ReturnType<typeof createServerForm>;

/** The state of a server address field and its connection test. */
export function createServerForm(send: Send, originAtStart: string) {
  const address = signal(originAtStart);
  const issue = signal<PlainKey | undefined>(undefined);
  const test = signal<TestState>({ name: 'idle' });

  function change(value: string): void {
    address.value = value;
    issue.value = undefined;
    test.value = { name: 'idle' };
  }

  /** Parses the address in the field. @returns its origin, or undefined after setting `issue` */
  function read(): string | undefined {
    const parsed = parseServerAddress(address.value);
    issue.value = parsed.ok ? undefined : parsed.code;
    if (!parsed.ok) return undefined;
    address.value = parsed.origin;
    return parsed.origin;
  }

  async function testConnection(): Promise<void> {
    const origin = read();
    if (!origin || test.value.name === 'testing') return;
    test.value = { name: 'testing' };
    const answer = await send('testConnection', { origin });
    // The address may have changed meanwhile.
    if (address.value !== origin) return;
    test.value = answer.ok ? { name: 'done', origin, report: answer.data } : { name: 'failed' };
  }

  return { address, issue, test, change, read, testConnection };
}
