import { BASE } from '../../app/router.ts';

/** The address of an account's page. */
export function accountPath(id: string): string {
  return `${BASE}/admin/account?id=${encodeURIComponent(id)}`;
}
