import { ServiceError } from './service-error.ts';

/**
 * An `invalid_request` about one field, header or parameter.
 *
 * @param message what is wrong with it, such as `Must not be empty.`
 */
export function invalidField(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `${path}: ${message}`, {
    issues: [{ path, message }],
  });
}

export function invalidCursor(): ServiceError {
  return invalidField('cursor', 'Is not a cursor. Send the nextCursor of the previous page.');
}
