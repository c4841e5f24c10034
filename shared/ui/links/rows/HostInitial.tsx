/** `--color-host-1` to `--color-host-8` in `rows.css`. */
const COLORS = 8;

/** Stands for the icon of a site, which would be a request: the first letter of its host, in one color. */
export function HostInitial({ host }: { host: string }) {
  const name = host.replace(/^www\./, '');
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  const [initial = ''] = name;
  return (
    <span class={`host-initial host-${(hash % COLORS) + 1}`} aria-hidden="true">
      {initial.toUpperCase()}
    </span>
  );
}
