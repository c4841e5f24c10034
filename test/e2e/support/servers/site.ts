import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Site = {
  /** Origin, as `http://localhost:41234`. */
  origin: string;
  /** Path and query of every request, oldest first. */
  asked: string[];
  /** Sends the pages that `?held` holds back. */
  release(): void;
  stop(): Promise<void>;
};

/**
 * A small site on loopback with pages to shorten: `/<path>` responds with the title `Page /<path>` and
 * a link, `#next`, to `/next`. `?title=…` sets another title, `?canonical=…&shortlink=…` the declared
 * URLs, `?download=…` makes the response a download with that name, and `?held` holds it back.
 */
export async function startSite(): Promise<Site> {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    asked.push(`${url.pathname}${url.search}`);
    const title = escapeHtml(url.searchParams.get('title') ?? `Page ${url.pathname}`);
    const fileName = url.searchParams.get('download');
    if (fileName) response.setHeader('content-disposition', `attachment; filename="${fileName}"`);
    const send = () =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(
        `<!doctype html><html lang="en"><title>${title}</title>${linksIn(url.searchParams)}
<main><h1>${title}</h1><p><a id="next" href="/next">The next page</a></p></main></html>`,
      );
    if (url.searchParams.has('held')) held.push(send);
    else send();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    asked,
    release() {
      for (const send of held.splice(0)) send();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function linksIn(parameters: URLSearchParams): string {
  return ['canonical', 'shortlink']
    .flatMap((rel) => parameters.getAll(rel).map((href) => [rel, escapeHtml(href)]))
    .map(([rel, href]) => `<link rel="${rel}" href="${href}">`)
    .join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
