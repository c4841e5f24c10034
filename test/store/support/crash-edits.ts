import type { ChildProcess } from 'node:child_process';
import type { EditLinkOutcome, LinkEdit } from '../../../server/store/link.ts';
import type { LinkRecord } from '../../../shared/link-record.ts';
import type { Edit } from './crash-witness.ts';

/** No route edits links yet, so the crash server takes edits as messages of its process. */
export type EditMessage = { number: number; token: string; edit: Omit<LinkEdit, 'accountId'> };
export type EditAnswer = { number: number; outcome: EditLinkOutcome };

/** The client side. */
export class EditChannel {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (outcome: EditLinkOutcome | undefined) => void>();
  #number = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', ({ number, outcome }: EditAnswer) => {
      this.#waiting.get(number)?.(outcome);
      this.#waiting.delete(number);
    });
    child.on('disconnect', () => {
      for (const resolve of this.#waiting.values()) resolve(undefined);
      this.#waiting.clear();
    });
  }

  /** @returns undefined if there was no response */
  send({ id, authToken }: LinkRecord, edit: Edit): Promise<EditLinkOutcome | undefined> {
    if (!this.#child.connected) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<EditLinkOutcome | undefined>();
    const number = this.#number++;
    this.#waiting.set(number, resolve);
    const message: EditMessage = { number, token: authToken, edit: { linkId: id, ...edit } };
    this.#child.send(message, (error) => {
      if (error) resolve(undefined);
    });
    return promise;
  }
}
