import { isIP } from 'node:net';
import { z } from 'zod';

export const wholeNumber = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(fallback)
    .meta({ expected: `a whole number from ${min} to ${max}` });

export const onOff = (fallback: 'on' | 'off' = 'on') =>
  z
    .enum(['on', 'off'])
    .default(fallback)
    .transform((value) => value === 'on')
    .meta({ expected: '"on" or "off"' });

export const origin = z
  .string()
  .refine(isOrigin)
  .transform((value) => new URL(value).origin);

/** Of an app on a phone or a desktop, whose pages are not from the web. */
const APP_ORIGIN = /^(?:app|capacitor|ionic|tauri):\/\/[a-z\d.-]+$/i;

/** An origin, or one whose host begins with `*.`: then those of all subdomains. */
export const originPattern = z
  .string()
  .refine(isOriginPattern)
  .transform((value): string | RegExp => {
    if (APP_ORIGIN.test(value)) return value.toLowerCase();
    const { origin } = new URL(value);
    if (!origin.includes('*')) return origin;
    const [protocol = '', domain = ''] = origin.replaceAll('.', '\\.').split('*');
    return new RegExp(`^${protocol}[a-z0-9.-]+${domain}$`);
  });

export const listOf = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item));

export const headerName = (example: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9-]+$/)
    .transform((value) => value.toLowerCase())
    .optional()
    .meta({ expected: `the name of a header, such as ${example}` });

/** An IPv6 address can be in brackets, as in URLs. */
export const listenAddress = () =>
  z
    .string()
    .overwrite((value) => value.replace(/^\[(.*)\]$/, '$1'))
    .default('127.0.0.1')
    .meta({ expected: 'an address to listen on' });

function isOrigin(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const { origin, href } = new URL(value);
  return href === `${origin}/` && !origin.includes('*');
}

/** Not `https://*.com`, which would be everybody's. */
function isOriginPattern(value: string): boolean {
  if (APP_ORIGIN.test(value)) return true;
  return isOrigin(value.replace(/^(https?:\/\/)\*\.(?=[^.]+\.[^.])/i, '$1'));
}

/** An IP address or a CIDR range. */
export function isAddressRange(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  // /0 is invalid: it would trust every client, and Fastify rejects it.
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128);
}
