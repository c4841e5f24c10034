import type { z } from 'zod';
import type { ErrorCode, Issue } from '../../shared/errors.ts';
import { isSelecting } from '../../shared/schemas.ts';
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
  const first = schema.safeParse(input, { error: describeIssue });
  if (first.success) return first.data;
  const meant = withReadTexts(input, first.error.issues);
  const result = meant === undefined ? first : schema.safeParse(meant, { error: describeIssue });
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(toIssues);
  const codes = new Set(result.error.issues.map(codeOf));
  const [code = 'invalid_request'] = codes.size === 1 ? codes : [];
  throw invalid(issues, code);
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const BOOLEAN = /^(?:true|false)$/i;
/** Lists whose values have no commas. */
const LISTS = new Set<PropertyKey>(['tags', 'addTags', 'removeTags', 'aliases']);

/**
 * Reads what was sent as text where a schema wants something else, as forms and templates send it, if it can mean one
 * thing only. An empty text is no number: it may be what is left of one.
 *
 * @returns the input with what was meant; undefined if nothing was read
 */
function withReadTexts(input: unknown, issues: z.core.$ZodIssue[]): unknown {
  let meant: unknown;
  for (const { path, ...issue } of issues) {
    const name = path.at(-1);
    const sent = valueAt(input, path);
    if (typeof sent !== 'string' || name === undefined) continue;
    const value = readText(sent.trim(), name, 'expected' in issue ? issue.expected : undefined);
    if (value === undefined) continue;
    meant ??= structuredClone(input);
    const owner = valueAt(meant, path.slice(0, -1)) as Record<PropertyKey, unknown>;
    if (value === UNSET) delete owner[name];
    else owner[name] = value;
  }
  return meant;
}

const UNSET = Symbol('not set');

function readText(text: string, name: PropertyKey, expected: string | undefined): unknown {
  if (text === '' && name === 'goneUrl') return null;
  if (text === '' && name === 'domain') return UNSET;
  if ((expected === 'number' || expected === 'int') && NUMBER.test(text)) return Number(text);
  if (expected === 'boolean' && BOOLEAN.test(text)) return text.toLowerCase() === 'true';
  if (expected === 'array' && LISTS.has(name)) return text === '' ? [] : text.split(',');
  return undefined;
}

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  let value = input;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<PropertyKey, unknown>)[name];
  }
  return value;
}

/** What programs call a key in a query, without its dashes and underscores. */
const KEY_NAMES = /^(?:x?(?:api|auth|access)?(?:key|token)|authorization|auth|bearer|signature)$/i;

/**
 * Parses a query, which has no parameters but those of the schema. An empty one that selects or orders is left out:
 * clients send each field of a form or a template.
 *
 * @param body the schema of the body of the same request, which has what doesn't belong in the query
 * @throws ServiceError as `parseInput`
 */
export function parseQuery<S extends z.ZodObject>(
  schema: S,
  query: unknown,
  body?: z.ZodType,
): z.output<S> {
  const names = Object.keys(query as object);
  const unknown = names.filter((name) => !Object.hasOwn(schema.shape, name));
  if (unknown.length > 0) throw unknownParameters(unknown, body);
  return parseKnownParameters(schema, query);
}

/** Does the same, and ignores other parameters. */
export function parseKnownParameters<S extends z.ZodObject>(
  schema: S,
  query: unknown,
): z.output<S> {
  const sent = Object.entries(query as Record<string, string | string[]>)
    .filter(([name]) => Object.hasOwn(schema.shape, name))
    .flatMap(([name, values]) => {
      if (!isSelecting(schema.shape[name] as z.ZodType)) return [[name, values]];
      const [first, ...others] = [values].flat().filter((value) => value !== '');
      return first === undefined ? [] : [[name, others.length > 0 ? [first, ...others] : first]];
    });
  return parseInput(schema, Object.fromEntries(sent));
}

function unknownParameters(names: string[], body: z.ZodType | undefined): ServiceError {
  const fields = body && 'shape' in body ? Object.keys(body.shape as object) : [];
  const toMessage = (name: string) => {
    if (fields.includes(name)) return 'Is a field of the JSON body, not a parameter of the URL.';
    if (KEY_NAMES.test(name.replace(/[-_]/g, ''))) return KEY_PLACE;
    return 'Unknown parameter of the URL. Check its name for typos.';
  };
  return invalid(names.map((name) => ({ path: name, message: toMessage(name) })));
}

/** URLs are logged, and stored by browsers. */
export const KEY_PLACE =
  'A key belongs in the header "Authorization: Bearer <key>" or "X-API-Key: <key>".';

/** Lists the first 20. */
function invalid(issues: Issue[], code: ErrorCode = 'invalid_request'): ServiceError {
  const listed = issues.slice(0, MAX_ISSUES);
  const more = issues.length - listed.length;
  const message = summary(listed) + (more > 0 ? ` ${more} more issues are not listed.` : '');
  return new ServiceError(code, message, { issues: listed });
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
