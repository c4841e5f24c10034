import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import { StoreOpenError } from '../../store.ts';
import type { UrlParameters, UrlSetting } from './url-parameters.ts';

const MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'];

type Files = Pick<UrlParameters, 'sslrootcert' | 'sslcert' | 'sslkey'>;

/**
 * What the driver needs for TLS: false for none, undefined if the URL says nothing, so that it takes
 * `PGSSLMODE`. The files are read again for each connection, because certificates are replaced. One that
 * can't be read then is as it was before.
 *
 * @throws StoreOpenError
 */
export function readTls(
  { sslmode, sslrootcert, channel_binding, sslnegotiation, ...rest }: UrlParameters,
  setting: UrlSetting,
): () => ConnectionOptions | false | undefined {
  const files = { sslrootcert: sslrootcert === 'system' ? undefined : sslrootcert, ...rest };
  const hasFiles = [sslrootcert, rest.sslcert, rest.sslkey].some((file) => file !== undefined);
  const isDirect = sslnegotiation === 'direct';
  const mode = sslmode ?? (hasFiles || isDirect ? 'verify-full' : undefined);
  if (mode !== undefined && !MODES.includes(mode)) {
    const reason = ['allow', 'prefer'].includes(mode)
      ? ', which also accepts a connection without TLS'
      : '';
    throw new StoreOpenError(
      `sslmode in ${setting} is "${mode}"${reason}. Write verify-full, or one of ${MODES.join(', ')}.`,
    );
  }
  if (mode === undefined || mode === 'disable') {
    const needing = [
      channel_binding === 'require' && 'channel_binding=require',
      isDirect && 'sslnegotiation=direct',
    ].find(Boolean);
    if (needing) {
      throw new StoreOpenError(`${needing} in ${setting} needs TLS. Add sslmode=verify-full.`);
    }
    return () => (mode === 'disable' ? false : undefined);
  }
  if (mode === 'verify-ca' && files.sslrootcert === undefined) {
    throw new StoreOpenError(
      `sslmode=verify-ca in ${setting} needs sslrootcert, a file with the certificate of your authority. Add it, or write verify-full.`,
    );
  }
  const checks: ConnectionOptions = {
    ...(mode === 'no-verify' && { rejectUnauthorized: false }),
    // The name of the host is not checked.
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  };
  let last = readFiles(files, setting);
  return () => {
    try {
      last = readFiles(files, setting);
    } catch {}
    return { ...last, ...checks };
  };
}

function readFiles(files: Files, setting: UrlSetting): ConnectionOptions {
  const read = (name: keyof Files) => {
    const path = files[name];
    if (path === undefined) return undefined;
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new StoreOpenError(
        `${name} in ${setting} names ${path}, which ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}.`,
      );
    }
  };
  const [ca, cert, key] = [read('sslrootcert'), read('sslcert'), read('sslkey')];
  if ((cert === undefined) !== (key === undefined)) {
    throw new StoreOpenError(
      `sslcert and sslkey in ${setting} belong together. Add the other one.`,
    );
  }
  for (const [name, certificate] of Object.entries({ sslrootcert: ca, sslcert: cert })) {
    if (certificate === undefined || isCertificate(certificate)) continue;
    throw new StoreOpenError(
      `${name} in ${setting} names ${files[name as keyof Files]}, which is not a certificate in PEM format.`,
    );
  }
  const options = { ...(ca && { ca }), ...(cert && { cert, key }) };
  try {
    createSecureContext(options);
  } catch (error) {
    throw new StoreOpenError(
      `sslcert and sslkey in ${setting} cannot be used: ${(error as Error).message}. Curt needs the key of this certificate in PEM format, without a passphrase.`,
    );
  }
  return options;
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
