import { setTimeout } from 'node:timers/promises';
import { type Browser, type CDPSession, CDPSessionEvent } from 'puppeteer-core';
import { attachTo, detachFrom, runIn } from './attach.ts';

const APPEAR_TIMEOUT_MS = 120_000;
const POLL_MS = 50;

/** The background of an extension. */
export type ExtensionWorker = {
  /** Runs a function in the worker once it exists. The function has no closure, and returns JSON. */
  evaluate<A extends unknown[], R>(run: (...args: A) => R, ...args: A): Promise<Awaited<R>>;
  /** For everything else. The worker doesn't stop by itself while this is attached. */
  session(): Promise<CDPSession>;
  /** Stops the worker as Chromium does after 30 idle seconds. The next event starts another. */
  stop(): Promise<void>;
};

/**
 * Uses the DevTools protocol directly. Puppeteer's own workers can't be used when one stops: on a busy
 * machine it may keep a stopped worker in its list, or attach to one that is stopping, and neither
 * ever gets an execution context.
 */
export async function extensionWorker(browser: Browser, origin: string): Promise<ExtensionWorker> {
  const root = await browser.target().createCDPSession();
  let attached: { targetId: string; session: CDPSession } | undefined;

  async function findId(): Promise<string | undefined> {
    const { targetInfos } = await root.send('Target.getTargets');
    return targetInfos.find(({ type, url }) => type === 'service_worker' && url.startsWith(origin))
      ?.targetId;
  }

  async function attach(targetId: string): Promise<CDPSession> {
    const session = await attachTo(root, targetId);
    await new Promise<void>((resolve, reject) => {
      session.once('Inspector.workerScriptLoaded', () => resolve());
      root.once(CDPSessionEvent.SessionDetached, () => reject(new Error('The worker has gone.')));
      const failLate = () => reject(new Error('The worker does not load.'));
      void setTimeout(APPEAR_TIMEOUT_MS, undefined, { ref: false }).then(failLate);
    });
    attached = { targetId, session };
    return session;
  }

  function sessionWith(targetId: string): CDPSession | undefined {
    const isStill = attached?.targetId === targetId && !attached.session.detached;
    return isStill ? attached?.session : undefined;
  }

  async function session(): Promise<CDPSession> {
    const deadline = Date.now() + APPEAR_TIMEOUT_MS;
    for (;;) {
      const targetId = await findId();
      try {
        if (targetId) return sessionWith(targetId) ?? (await attach(targetId));
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
      if (Date.now() > deadline) throw new Error('The extension has no service worker.');
      await setTimeout(POLL_MS);
    }
  }

  return {
    session,
    async evaluate<A extends unknown[], R>(
      run: (...args: A) => R,
      ...args: A
    ): Promise<Awaited<R>> {
      return runIn(await session(), run, ...args);
    },
    async stop() {
      const targetId = await findId();
      if (!targetId) return;
      const session = sessionWith(targetId);
      if (session) await detachFrom(root, session);
      // On a busy machine Chromium may drop the first request: repeat it until the worker is gone.
      const deadline = Date.now() + APPEAR_TIMEOUT_MS;
      while ((await findId()) === targetId) {
        if (Date.now() > deadline) throw new Error('The background does not stop.');
        // It may have stopped at this moment; the next check will tell.
        await root.send('Target.closeTarget', { targetId }).catch(() => undefined);
        await setTimeout(POLL_MS);
      }
    },
  };
}
