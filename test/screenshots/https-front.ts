import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** A fixed alias instead of a random one, so that only changes of the extension change the images. */
const ALIAS = 'ks22uum';

export type Front = { port: number; stop(): Promise<void> };

/** Serves all hosts in the screenshots by HTTPS on one port: Curt at one host, the article at the others. */
export async function startFront(curtHost: string, curtUrl: string): Promise<Front> {
  const article = await readFile(join(import.meta.dirname, 'article.html'), 'utf8');
  const server = createServer(await makeCertificate(), (request, response) => {
    if (request.headers.host === curtHost) {
      void passOn(request, response, curtUrl);
    } else {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(article);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  curtUrl: string,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const names = [
    ...['authorization', 'content-type', 'idempotency-key', 'origin'],
    ...['access-control-request-method', 'access-control-request-headers'],
  ];
  const asked = await text(request);
  const answer = await fetch(new URL(url, curtUrl), {
    method,
    headers: names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as [string, string]] : [];
    }),
    ...(method === 'POST' && {
      body: JSON.stringify({ customAlias: ALIAS, ...JSON.parse(asked) }),
    }),
    redirect: 'manual',
  });
  const passed = [...answer.headers].filter(([name]) => name !== 'content-encoding');
  response.writeHead(answer.status, Object.fromEntries(passed)).end(await answer.text());
}

/** A self-signed certificate, which our browser is told to accept. */
async function makeCertificate(): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'curt-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  try {
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    await promisify(execFile)('openssl', [
      ...['req', ...kind, '-subj', '/CN=example.com', '-days', '1'],
      ...['-keyout', key, '-out', cert],
    ]);
    return { key: await readFile(key), cert: await readFile(cert) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
