import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

type Answer = [
  type: 1,
  id: number,
  error: { error: string; message: string } | null,
  result: unknown,
];

export type Marionette = {
  /**
   * Sends a command of Firefox's remote protocol and waits for the response.
   * @throws Error with the command's name and Firefox's message
   */
  send<T>(command: string, parameters?: Record<string, unknown>): Promise<T>;
  close(): void;
};

/**
 * A client for Firefox's Marionette protocol over TCP, which unlike WebDriver BiDi can open
 * `moz-extension:` pages. Every message is `<bytes>:<json>`; a command is `[0, id, name, parameters]`,
 * a response `[1, id, error, result]`. Firefox sends a greeting first.
 */
export async function connectMarionette(port: number): Promise<Marionette> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  let greeted = () => {};
  const greeting = new Promise<void>((resolve) => {
    greeted = resolve;
  });
  const ended = once(socket, 'close').then(() => {
    throw new Error('Firefox closed the connection.');
  });
  // Pending commands are rejected by the race below; without any, the error can be ignored.
  ended.catch(() => {});
  socket.on('error', () => {});
  readMessages(socket, (message) => {
    if (!Array.isArray(message)) return greeted();
    const answer = message as Answer;
    waiting.get(answer[1])?.(answer);
    waiting.delete(answer[1]);
  });
  await Promise.race([greeting, ended]);

  return {
    async send<T>(command: string, parameters: Record<string, unknown> = {}) {
      lastId += 1;
      const id = lastId;
      const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      const json = JSON.stringify([0, id, command, parameters]);
      socket.write(`${Buffer.byteLength(json)}:${json}`);
      const [, , error, result] = await Promise.race([answer, ended]);
      if (error) throw new Error(`${command}: ${error.error}: ${error.message}`);
      return result as T;
    },
    close: () => socket.destroy(),
  };
}

function readMessages(socket: Socket, onMessage: (message: unknown) => void): void {
  let buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const colon = buffer.indexOf(':');
      if (colon < 0) return;
      const end = colon + 1 + Number(buffer.toString('utf8', 0, colon));
      if (buffer.length < end) return;
      const json = buffer.toString('utf8', colon + 1, end);
      buffer = buffer.subarray(end);
      onMessage(JSON.parse(json));
    }
  });
}
