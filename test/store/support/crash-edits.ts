import type { ChildProcess } from 'node:child_process';
import type { EditLinkOutcome, LinkEdit } from '../../../server/store/store.ts';
import type { LinkRecord } from '../../../shared/link-record.ts';
import type { Edit } from './crash-witness.ts';

/** No route edits links yet, so the crash server takes edits as messages of its process. */
export type EditMessage = { number: number; token: string; edit: Omit<LinkEdit, 'accountId'> };
/** Asks for an answer after this time by the server's own timers. */
export type PauseMessage = { number: number; pauseMs: number };
export type EditAnswer = { number: number; outcome?: EditLinkOutcome };

/** The client side. */
export class EditChannel {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: EditAnswer | undefined) => void>();
  #number = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (answer: EditAnswer) => {
      this.#waiting.get(answer.number)?.(answer);
      this.#waiting.delete(answer.number);
    });
    child.on('disconnect', () => {
      for (const resolve of this.#waiting.values()) resolve(undefined);
      this.#waiting.clear();
    });
  }

  /** @returns undefined if there was no response */
  async send({ id, authToken }: LinkRecord, edit: Edit): Promise<EditLinkOutcome | undefined> {
    const answer = await this.#ask({ token: authToken, edit: { linkId: id, ...edit } });
    return answer?.outcome;
  }

  /** @returns whether the server was alive all the time */
  async pause(pauseMs: number): Promise<boolean> {
    return (await this.#ask({ pauseMs })) !== undefined;
  }

  #ask(
    message: Omit<EditMessage, 'number'> | Omit<PauseMessage, 'number'>,
  ): Promise<EditAnswer | undefined> {
    if (!this.#child.connected) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<EditAnswer | undefined>();
    const number = this.#number++;
    this.#waiting.set(number, resolve);
    this.#child.send({ ...message, number }, (error) => {
      if (error) resolve(undefined);
    });
    return promise;
  }
}
