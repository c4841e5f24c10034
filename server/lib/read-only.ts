import { ServiceError } from './service-error.ts';

/** What changes without an edit, so that a record that was read before has other values, by their kinds. */
const CHANGES_BY_ITSELF = new Map(
  Object.entries({
    ...{ links: ['number'], linksThisMonth: ['number'], used: ['number'], visits30: ['array'] },
    ...{ remaining: ['number', 'null'], resetsAt: ['string'], resetsInSeconds: ['number'] },
    ...{ lastUsedOn: ['string', 'null'], isCurrent: ['boolean'], manyWrongPasswords: ['boolean'] },
  }),
);

/**
 * Lets a record be sent back in an edit.
 *
 * @param sent the read-only fields of the request
 * @param path of what has the fields, with a dot at its end; empty for the body
 * @throws ServiceError `invalid_request` for each field that is not as it is now
 */
export function assertReadOnly<T extends object>(
  sent: T,
  isAsNow: (name: keyof T, value: unknown) => boolean,
  path = '',
): void {
  const issues = (Object.keys(sent) as (keyof T & string)[])
    .filter((name) => sent[name] !== undefined && !isAsNow(name, sent[name]))
    .map((name) => ({
      path: path + name,
      message: 'Is read-only. Leave it out, or send the value that it has.',
    }));
  if (issues.length === 0) return;
  const message = issues.map(({ path, message }) => `${path}: ${message}`).join(' ');
  throw new ServiceError('invalid_request', message, { issues });
}

/** Whether the value of a field of a record, as JSON has it, is one that the record can have had. */
export function isUnchanged(name: PropertyKey, sent: unknown, now: unknown): boolean {
  const kinds = CHANGES_BY_ITSELF.get(String(name));
  if (kinds) return kinds.includes(kindOf(sent));
  if (!isContainer(now) || !isContainer(sent)) return sent === now;
  const names = Object.keys(now);
  return (
    kindOf(sent) === kindOf(now) &&
    Object.keys(sent).length === names.length &&
    names.every((each) => isUnchanged(each, sent[each], now[each]))
  );
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
