/**
 * Returns what the changelog says about a version, without its heading.
 *
 * @throws Error if it says nothing
 */
export function notesOf(version: string, changelog: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((each) => each.startsWith(`[${version}]`));
  const notes = section?.slice(section.indexOf('\n')).trim();
  if (notes) return `${notes}\n`;
  throw new Error(`CHANGELOG.md has no section "## [${version}]", or nothing in it.`);
}
