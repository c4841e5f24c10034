/** Whether `STORE_URL` names a PostgreSQL database. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\/./.test(url);
}
