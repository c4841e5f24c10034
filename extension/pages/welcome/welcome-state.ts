import { signal } from '@preact/signals';
import { explain } from '../../i18n/error-text.ts';
import { t } from '../../i18n/translate.ts';
import type { MadeLink, Refusal, Send, Settings } from '../../messaging/protocol.ts';
import { createServerForm } from '../../ui/server/server-form.ts';
import type { Shortcut } from '../../ui/shortcuts/shortcuts.ts';

export type WelcomeTools = {
  send: Send;
  /** @returns whether the text is in the clipboard */
  copy(text: string): Promise<boolean>;
  /** Whether the page stands in a private window. */
  isPrivate: boolean;
};
export type WelcomeState = ReturnType<typeof createWelcomeState>;

const EXAMPLE = 'https://example.com/an/example/of/an/address/that/nobody/wants/to/type';

/** The first steps: a server, then a link. Nothing is sent before a button is pressed. */
export function createWelcomeState(
  settings: Settings,
  shortcuts: Shortcut[],
  { send, copy, isPrivate }: WelcomeTools,
) {
  let savedOrigin = settings.serverOrigin;
  const server = createServerForm(send, savedOrigin);
  const serverProblem = signal<string | undefined>(undefined);
  const address = signal(EXAMPLE);
  /** Why there is no link. */
  const problem = signal<string | undefined>(undefined);
  const isWorking = signal(false);
  const link = signal<MadeLink | undefined>(undefined);
  const isNotKept = signal(false);
  /** What was copied last, and whether it is in the clipboard. */
  const copied = signal<{ text: string; isThere: boolean } | undefined>(undefined);

  const wordsFor = (refusal: Refusal) => {
    const { title, text } = explain(refusal, savedOrigin);
    return `${title}. ${text}`;
  };

  /** @returns whether the server in the field is the one that is used from now on */
  async function useServer(): Promise<boolean> {
    const origin = server.read();
    if (!origin || origin === savedOrigin) return origin !== undefined;
    const answer = await send('saveSettings', { serverOrigin: origin });
    serverProblem.value = answer.ok ? undefined : wordsFor(answer);
    if (answer.ok) savedOrigin = origin;
    return answer.ok;
  }

  async function connect(): Promise<void> {
    if (await useServer()) await server.testConnection();
  }

  function changeAddress(text: string): void {
    address.value = text;
    problem.value = undefined;
  }

  async function shorten(): Promise<void> {
    if (isWorking.value) return;
    problem.value = undefined;
    link.value = undefined;
    isWorking.value = true;
    if (await useServer()) {
      const refusal = await makeLink();
      problem.value = refusal && wordsFor(refusal);
    } else {
      problem.value = serverProblem.value ?? (server.issue.value && t(server.issue.value));
    }
    isWorking.value = false;
  }

  /** @returns what stood in the way */
  async function makeLink(): Promise<Refusal | undefined> {
    const start = await send('startAddress', { text: address.value, isPrivate });
    if (!start.ok) return start;
    const { plan, existing } = start.data;
    if (plan.warning) return { ok: false, code: 'address_has_secret' };
    const answer = existing
      ? { ok: true as const, data: existing }
      : await send('makeLink', {
          request: { originalUrl: plan.address },
          isPrivate,
          pageTitle: '',
          takesMade: true,
          askId: crypto.randomUUID(),
        });
    if (!answer.ok) return answer;
    link.value = answer.data;
    isNotKept.value = 'notKept' in answer;
    return undefined;
  }

  async function copyText(text: string): Promise<void> {
    copied.value = undefined;
    copied.value = { text, isThere: await copy(text) };
  }

  /** How the copying of a text went, in words; empty until it was asked for. */
  function copyNote(text: string): string {
    if (copied.value?.text !== text) return '';
    return t(copied.value.isThere ? 'copied' : 'copied_not');
  }

  return {
    shortcuts,
    server,
    serverProblem,
    address,
    problem,
    isWorking,
    link,
    isNotKept,
    connect,
    changeAddress,
    shorten,
    copyText,
    copyNote,
  };
}
