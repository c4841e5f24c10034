import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BrowserContext } from 'puppeteer-core';

const WAIT_MS = 120_000;
const POLL_MS = 50;

export type Downloads = {
  /** Waits for the file with this name and removes it, so that the name can be used again. */
  take(name: string): Promise<Buffer>;
  stop(): Promise<void>;
};

/** Lets Chromium save downloads to a temporary folder without a prompt. */
export async function collectDownloads(context: BrowserContext): Promise<Downloads> {
  const folder = await mkdtemp(join(tmpdir(), 'curt-downloads-'));
  const session = await context.browser().target().createCDPSession();
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'allow',
    downloadPath: folder,
    ...(context.id && { browserContextId: context.id }),
  });
  return {
    async take(name) {
      const path = join(folder, name);
      const deadline = Date.now() + WAIT_MS;
      for (;;) {
        try {
          // Chromium gives a file its name when it is complete, but may reserve the name by an empty one.
          const content = await readFile(path);
          if (content.length === 0) throw new Error('The file is still empty.');
          await rm(path);
          return content;
        } catch (cause) {
          if (Date.now() > deadline) throw new Error(`No file ${name} was saved.`, { cause });
          await setTimeout(POLL_MS);
        }
      }
    },
    async stop() {
      await session.detach();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
