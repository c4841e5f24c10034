import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from './new-folder.ts';
import { needCommand } from './not-run.ts';

const run = promisify(execFile);
const KEY = ['-newkey', 'rsa:2048', '-nodes'];

/**
 * An authority of its own, and what it has signed: paths of files in PEM format.
 *
 * @param folder default: one that is removed after the test
 */
export async function newCertificates(folder?: string) {
  const openssl = await needCommand('openssl');
  return certificatesIn(folder ?? (await newFolder()), openssl);
}

async function certificatesIn(folder: string, openssl: string) {
  const path = (name: string) => join(folder, name);
  const ca = { key: path('ca.key'), certificate: path('ca.crt') };
  await run(openssl, [
    ...['req', '-x509', ...KEY, '-subj', '/CN=Test authority', '-days', '1'],
    ...['-keyout', ca.key, '-out', ca.certificate],
  ]);
  /** @param subject such as `/CN=curt` @param names such as `IP:127.0.0.1` */
  const issue = async (subject: string, names: string) => {
    const name = subject.replace(/\W/g, '');
    const [key, request, certificate] = ['key', 'csr', 'crt'].map((each) =>
      path(`${name}.${each}`),
    );
    if (!key || !request || !certificate) throw new Error('there are three files');
    await run(openssl, ['req', ...KEY, '-subj', subject, '-keyout', key, '-out', request]);
    const extensions = path(`${name}.ext`);
    await writeFile(extensions, `subjectAltName=${names}\n`);
    await run(openssl, [
      ...['x509', '-req', '-in', request, '-CA', ca.certificate, '-CAkey', ca.key],
      ...['-CAcreateserial', '-days', '1', '-extfile', extensions, '-out', certificate],
    ]);
    return { key, certificate };
  };
  return { folder, ca, issue };
}
