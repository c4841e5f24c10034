import type { Variables } from '../../lib/settings.ts';
import { usageError } from '../cli-error.ts';

/** A proxy that requests to a server go through. */
export type UsedProxy = {
  /** Without its username and password. */
  url: string;
  /** Where it is set. */
  variable: string;
};

/** Requests to this machine never go through a proxy. */
const DIRECT = ['localhost', '127.0.0.1', '[::1]'];
const SUPPORTED = /^(https?|socks5):$/;

/**
 * Lets requests go through the proxies of `HTTP_PROXY`, `HTTPS_PROXY`, or else of
 * `ALL_PROXY`, but not those to this machine and to the hosts in `NO_PROXY`. Proxies that can't be used are left
 * out: `findProxy` says so where one is needed.
 *
 * @returns before Node.js 24.14 the environment in which another process has to start, otherwise undefined
 */
export function useProxies(env: Variables): Variables | undefined {
  const settings = readSettings(env);
  const usable = Object.fromEntries(
    settings.proxies.filter(({ url }) => url).map(({ protocol, text }) => [protocol, text]),
  );
  if (Object.keys(usable).length === 0 || env.NODE_USE_ENV_PROXY === '1') return undefined;
  const proxies = {
    http_proxy: usable['http:'],
    https_proxy: usable['https:'],
    no_proxy: settings.direct.join(','),
  };
  // Loaded only here: commands without a proxy start faster.
  const http = process.getBuiltinModule('node:http');
  if (!http.setGlobalProxyFromEnv) return { ...env, ...proxies, NODE_USE_ENV_PROXY: '1' };
  // SOCKS works, and Node.js would print with each command that it is experimental.
  if (/socks5:/.test(Object.values(usable).join())) process.removeAllListeners('warning');
  http.setGlobalProxyFromEnv(proxies);
  return undefined;
}

/**
 * Finds the proxy that requests to a server go through.
 *
 * @returns undefined if they go there directly
 * @throws CliError if it can't be used
 */
export function findProxy(server: string, env: Variables): UsedProxy | undefined {
  const { proxies, direct } = readSettings(env);
  const { protocol, hostname, port } = new URL(server);
  const proxy = proxies.find((known) => known.protocol === protocol);
  if (!proxy || direct.some((entry) => isFor(entry, hostname, port || defaultPort(protocol)))) {
    return undefined;
  }
  if (proxy.url)
    return { url: `${proxy.url.protocol}//${proxy.url.host}`, variable: proxy.variable };
  throw usageError(
    `${proxy.variable} is not the URL of a proxy, such as http://proxy.example.com:3128 or socks5://proxy.example.com:1080.`,
  );
}

/** As Node.js chooses them, for which an empty variable is not set, either. */
const VARIABLES = {
  'http:': ['HTTP_PROXY', 'ALL_PROXY'],
  'https:': ['HTTPS_PROXY', 'ALL_PROXY', 'HTTP_PROXY'],
};

function readSettings(env: Variables) {
  const given = (env.no_proxy ?? env.NO_PROXY ?? '').split(/[\s,]+/).filter(Boolean);
  // Node.js knows it only alone.
  if (given.includes('*')) return { proxies: [], direct: [] };
  const proxies = Object.entries(VARIABLES).flatMap(([protocol, names]) => {
    const variable = names.flatMap((name) => [name.toLowerCase(), name]).find((name) => env[name]);
    if (variable === undefined) return [];
    const text = toUrl(env[variable] ?? '');
    const url = URL.parse(text);
    return [{ protocol, variable, text, url: url && SUPPORTED.test(url.protocol) ? url : null }];
  });
  return { proxies, direct: [...given, ...DIRECT] };
}

/** Without a protocol, as curl and others take it. The name is resolved by a SOCKS proxy anyway. */
function toUrl(value: string): string {
  const text = value.trim().replace(/^socks5?h?:/i, 'socks5:');
  return text.includes('://') ? text : `http://${text}`;
}

/** As Node.js compares them: `example.com` and `.example.com` are for the subdomains, too. */
function isFor(entry: string, hostname: string, port: string): boolean {
  const [, host = entry, ofPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
  const name = host.replace(/^\*?\./, '').toLowerCase();
  if (ofPort !== undefined && ofPort !== port) return false;
  return hostname === name || hostname.endsWith(`.${name}`);
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}
