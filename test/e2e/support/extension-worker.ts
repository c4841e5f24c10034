import { setTimeout } from 'node:timers/promises';
import { type Browser, type CDPSession, CDPSessionEvent } from 'puppeteer-core';
import { attachTo, detachFrom, runIn } from './attach.ts';

const APPEAR_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

/** The background of an extension. */
export type ExtensionWorker = {
  /** Runs a function there as soon as it is there. It sees nothing of its own file; what it gives is JSON. */
  evaluate<A extends unknown[], R>(run: (...args: A) => R, ...args: A): Promise<Awaited<R>>;
  /** For all else. It does not go to sleep by itself, since this is attached to it. */
  session(): Promise<CDPSession>;
  /** Ends the one that there is, as Chromium does after 30 idle seconds: the next event starts another. */
  stop(): Promise<void>;
};

/**
 * By the browser's own protocol. The driver's workers cannot be used where one is stopped: on a busy
 * machine its list keeps one that has gone, or one that it attached to while that was going, and
 * either is without a context for good.
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
      // On a busy machine Chromium lets a first request fall: asked again until that worker is gone.
      const deadline = Date.now() + APPEAR_TIMEOUT_MS;
      while ((await findId()) === targetId) {
        if (Date.now() > deadline) throw new Error('The background does not stop.');
        // It may have gone this very moment; the next look tells.
        await root.send('Target.closeTarget', { targetId }).catch(() => undefined);
        await setTimeout(POLL_MS);
      }
    },
  };
}
