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
  const result = schema.safeParse(input, { error: describeIssue });
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(toIssues);
  const codes = new Set(result.error.issues.map(codeOf));
  const [code = 'invalid_request'] = codes.size === 1 ? codes : [];
  const listed = issues.slice(0, MAX_ISSUES);
  const more = issues.length - listed.length;
  const message = summary(listed) + (more > 0 ? ` ${more} more issues are not listed.` : '');
  throw new ServiceError(code, message, { issues: listed });
}

/**
 * Parses a query. Clients send each field of a form or a template, and leave those empty that they don't
 * mean.
 *
 * @throws ServiceError as `parseInput`
 */
export function parseQuery<T>(schema: Parser<T>, query: unknown): T {
  const sent = Object.entries(query as Record<string, string | string[]>).flatMap(
    ([name, values]) => {
      const [first, ...others] = [values].flat().filter((value) => value !== '');
      return first === undefined ? [] : [[name, others.length > 0 ? [first, ...others] : first]];
    },
  );
  return parseInput(schema, Object.fromEntries(sent));
}

/** Returns what is wrong, if the schema does not say it: never in the words of its library. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_value') {
    return `Must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}.`;
  }
  if (issue.code === 'too_big') return `Must be at most ${issue.maximum}.`;
  if (issue.code !== 'invalid_type') return 'Is not valid here.';
  const type = TYPES.get(issue.expected) ?? issue.expected;
  if (!issue.path?.length) return `The body must be a JSON ${issue.expected}.`;
  if (issue.input === undefined) return 'Is required.';
  // Programs make null of invalid numbers and dates, so it does not say that something is not wanted.
  if (issue.input === null) return `Must not be null: leave the field out, or send ${type}.`;
  return `Must be ${type}.`;
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
