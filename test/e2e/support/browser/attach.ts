import { type CDPSession, Connection } from 'puppeteer-core';

/** A separate session with a target that the driver may not know. */
export async function attachTo(root: CDPSession, targetId: string): Promise<CDPSession> {
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
  const session = Connection.fromSession(root)?.session(sessionId);
  if (!session) throw new Error('The target went while it was attached to.');
  return session;
}

export async function detachFrom(root: CDPSession, session: CDPSession): Promise<void> {
  await root.send('Target.detachFromTarget', { sessionId: session.id() });
}

/** Runs a function in the target. The function has no closure, and returns JSON. */
export async function runIn<A extends unknown[], R>(
  session: CDPSession,
  run: (...args: A) => R,
  ...args: A
): Promise<Awaited<R>> {
  const given = args.map((argument) => JSON.stringify(argument) ?? 'undefined').join(', ');
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `(${run})(${given})`,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) {
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  }
  return result.value as Awaited<R>;
}
