/** The names of drafts in `sessionStorage`, which ends with the tab, begin with it. See `drafts.ts`. */
export const DRAFT_PREFIX = 'curt-draft:';

/** Deletes all drafts, since another account, or person, must not find them. */
export function deleteDrafts(): void {
  try {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith(DRAFT_PREFIX)) sessionStorage.removeItem(name);
    }
  } catch {
    // The browser allows no storage.
  }
}
