import { signal } from '@preact/signals';
import { parseServerAddress } from '../../address/server-origin.ts';
import type { PlainKey } from '../../i18n/translate.ts';
import type { ConnectionReport, Send } from '../../messaging/protocol.ts';

export type TestState =
  | { name: 'idle' }
  | { name: 'testing' }
  | { name: 'failed' }
  | { name: 'done'; origin: string; report: ConnectionReport };

export type ServerForm = ReturnType<typeof createServerForm>;

/** A field for a server's address, and the test of the connection to it. */
export function createServerForm(send: Send, originAtStart: string) {
  const address = signal(originAtStart);
  const issue = signal<PlainKey | undefined>(undefined);
  const test = signal<TestState>({ name: 'idle' });

  function change(value: string): void {
    address.value = value;
    issue.value = undefined;
    test.value = { name: 'idle' };
  }

  /** The address in the field as an origin; else says what is wrong with it. */
  function read(): string | undefined {
    const parsed = parseServerAddress(address.value);
    issue.value = parsed.ok ? undefined : parsed.code;
    if (!parsed.ok) return undefined;
    address.value = parsed.origin;
    return parsed.origin;
  }

  async function testConnection(): Promise<void> {
    const asked = read();
    if (!asked || test.value.name === 'testing') return;
    test.value = { name: 'testing' };
    const answer = await send('testConnection', { origin: asked });
    // Meanwhile another address may have been typed.
    if (address.value !== asked) return;
    test.value = answer.ok
      ? { name: 'done', origin: asked, report: answer.data }
      : { name: 'failed' };
  }

  return { address, issue, test, change, read, testConnection };
}
