import type { z } from 'zod';
import type { ErrorCode, Issue } from '../../shared/errors.ts';
import { ServiceError } from './service-error.ts';

/** A body can have thousands of unknown fields. */
const MAX_ISSUES = 20;

const TYPES = new Map(
  Object.entries<string>({
    string: 'a string',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'an array',
    object: 'an object',
  }),
);

/** A schema, or one that `z.compile` made faster. */
type Parser<T> = Pick<z.ZodType<T>, 'safeParse'>;

/**
 * Parses a body or a query.
 *
 * @throws ServiceError with up to 20 issues, and with their code if they all have the same one
 */
export function parseInput<T>(schema: Parser<T>, input: unknown): T {
  const result = schema.safeParse(input, { error: describeTypeError });
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(toIssues);
  const codes = new Set(result.error.issues.map(codeOf));
  const [code = 'invalid_request'] = codes.size === 1 ? codes : [];
  const listed = issues.slice(0, MAX_ISSUES);
  const more = issues.length - listed.length;
  const message = summary(listed) + (more > 0 ? ` ${more} more issues are not listed.` : '');
  throw new ServiceError(code, message, { issues: listed });
}

/** Messages for wrong types. All other messages are in the schema. */
export function describeTypeError(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  if (!issue.path?.length) return `The body must be a JSON ${issue.expected}.`;
  if (issue.input === undefined) return 'Is required.';
  return `Must be ${TYPES.get(issue.expected) ?? issue.expected}.`;
}

function toIssues(issue: z.core.$ZodIssue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...issue.path, key].join('.'),
      message: 'Unknown field. Check its name for typos.',
    }));
  }
  return [{ path: issue.path.join('.'), message: issue.message }];
}

function codeOf(issue: z.core.$ZodIssue): ErrorCode {
  const code = issue.code === 'custom' ? issue.params?.errorCode : undefined;
  return code ?? 'invalid_request';
}

function summary(issues: Issue[]): string {
  return issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join(' ');
}
