import type { Result, Send } from './protocol.ts';
import type { CallInput, CallName, CallOutput, CallSubject, ServerCall } from './server-calls.ts';

/** Returns a function that calls an endpoint of a server with the account in use. */
export function callServer(send: Send, serverOrigin: string) {
  return <N extends CallName>(name: N, input: CallInput<N>, about: CallSubject = {}) =>
    send('call', { serverOrigin, name, input, ...about } as ServerCall) as Promise<
      Result<CallOutput<N>>
    >;
}
