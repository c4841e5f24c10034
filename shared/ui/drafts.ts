import { DRAFT_PREFIX } from './delete-drafts.ts';

/** What was typed into a form that was left. */
export type Draft<F> = {
  /** Only those that were changed. */
  fields: Partial<F>;
  /** Whether a password was typed. It is not kept. */
  hadPassword: boolean;
};

/**
 * Keeps what was typed into a form until it is sent or given up, so that Escape, Back, a reload and a
 * revoked key lose nothing. The popup does the same in the extension's storage.
 *
 * @param before the form as it was filled in
 * @param hadPassword whether a draft before had one, which was not typed again
 */
export function saveDraft<F extends object>(
  name: string,
  form: F,
  before: F,
  hadPassword = false,
): void {
  const changed = Object.entries(form).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof F]),
  );
  const { password, ...fields } = Object.fromEntries(changed);
  const draft = { fields, hadPassword: hadPassword || Boolean(password) };
  if (changed.length === 0 && !hadPassword) deleteDraft(name);
  else use((storage) => storage.setItem(DRAFT_PREFIX + name, JSON.stringify(draft)));
}

/** @param like the form, whose fields the draft can have */
export function readDraft<F extends object>(name: string, like: F): Draft<F> | undefined {
  const saved = use((storage) => JSON.parse(storage.getItem(DRAFT_PREFIX + name) ?? 'null'));
  if (typeof saved?.fields !== 'object') return undefined;
  const fields = Object.entries(like).flatMap(([key, value]) => {
    const kept = saved.fields[key];
    // An earlier version of the page may have saved it.
    const isSame = typeof kept === typeof value && Array.isArray(kept) === Array.isArray(value);
    return isSame ? [[key, kept]] : [];
  });
  return { fields: Object.fromEntries(fields), hadPassword: saved.hadPassword === true };
}

export function deleteDraft(name: string): void {
  use((storage) => storage.removeItem(DRAFT_PREFIX + name));
}

/** Does nothing if the browser allows no storage, or it is full. */
// biome-ignore lint/suspicious/noExplicitAny: what JSON.parse returns is checked where it is used
function use(act: (storage: Storage) => any) {
  try {
    return act(sessionStorage);
  } catch {
    return undefined;
  }
}
