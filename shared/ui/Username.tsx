/**
 * The name of an entry in a password manager. Without it, the passwords of a host replace each other.
 * Nobody sees it: there is nothing to enter.
 */
export function Username({ name }: { name: string }) {
  return <input hidden readOnly name="username" autocomplete="username" value={name} />;
}
