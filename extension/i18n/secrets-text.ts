import { formatList } from '../../shared/i18n/format-list.ts';
import { type PlainKey, t } from '../../shared/i18n/translate.ts';
import type { Secret } from '../urls/find-secrets.ts';

const KINDS = {
  credentials: 'secret_credentials',
  fragment_key: 'secret_fragment_key',
  reset_link: 'secret_reset_link',
  path_token: 'secret_path_token',
} as const satisfies Record<Exclude<Secret['kind'], 'parameter'>, PlainKey>;

const NAME_MAX_CHARACTERS = 40;

/** Lists the kinds of secrets found in a URL; a parameter by its name. */
export function formatSecrets(secrets: Secret[]): string {
  const names = secrets.map((secret) =>
    secret.kind === 'parameter' ? secret.name.slice(0, NAME_MAX_CHARACTERS) : t(KINDS[secret.kind]),
  );
  return formatList(new Set(names));
}
