const CERTIFICATE_ERROR = /CERT|SIGNATURE|HOSTNAME_MISMATCH/;

const EXPLANATIONS = new Map(
  Object.entries<string>({
    ENOTFOUND: 'This name is unknown. Check how it is spelled, and the DNS server of this machine',
    EAI_AGAIN: 'The DNS server of this machine does not respond. Check its network',
    ECONNREFUSED: 'No program listens there. Check the port, and whether the server is running',
    EHOSTUNREACH: 'There is no way to this address. Check the network',
    ENETUNREACH: 'There is no way to this address. Check the network',
  }),
);

/**
 * Explains why a request got no response, and what to do.
 *
 * @param error what `fetch` has thrown
 */
export function explainNetwork(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const known = EXPLANATIONS.get(code);
  if (known !== undefined) return `${known} (${code}).`;
  if (CERTIFICATE_ERROR.test(code)) {
    return `Its certificate is not valid: ${message} (${code}). If it is from an authority of your own, name that one's file in NODE_EXTRA_CA_CERTS.`;
  }
  if (code.startsWith('ERR_SSL_')) {
    return `It does not answer in TLS (${code}). Check the port, or use http:// instead of https://.`;
  }
  return code === '' ? `${message}.` : `${message} (${code}).`;
}
