import { DatabaseError } from 'pg';

const HOST = 'Check the host in the URL.';
const AUTHORITY =
  'Name the certificate of your provider’s authority with sslrootcert, or encrypt without this check with sslmode=no-verify.';

/** By the code of an error of Node.js or PostgreSQL. */
const ADVICE = new Map([
  ['ENOTFOUND', HOST],
  ['EAI_AGAIN', HOST],
  ['ECONNREFUSED', 'Check host and port, and whether PostgreSQL listens there.'],
  ['ENETUNREACH', 'Check the network: the host may only have an IPv6 address.'],
  ['EHOSTUNREACH', 'Check the network and the host.'],
  ['ENOENT', 'Check the folder of the socket.'],
  ['SELF_SIGNED_CERT_IN_CHAIN', AUTHORITY],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', AUTHORITY],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', AUTHORITY],
  ['CERT_HAS_EXPIRED', 'Renew the certificate of the database.'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'Write the host as the certificate has it, or leave this check out with sslmode=verify-ca and sslrootcert.',
  ],
  [
    '28P01',
    'Check user name and password: special characters are percent-encoded, and no brackets of a template are left.',
  ],
  ['08P01', 'A pooler may not take the parameter options: remove it, or connect directly.'],
  [
    '28000',
    'Allow this role and address in pg_hba.conf. If it demands encryption, add sslmode=verify-full.',
  ],
  ['3D000', 'Create the database with createdb, or correct its name.'],
  ['53300', 'Allow more connections, or end those that are not needed.'],
]);

/** What an operator can do about a connection that could not be opened. An empty text if that is not known. */
export function adviceFor(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof DatabaseError) && !(first instanceof Error)) return '';
  return ADVICE.get((first as { code?: string }).code ?? '') ?? '';
}
