import { types } from 'pg';

type GetTypeParser = typeof types.getTypeParser;

/** Reads `bigint` as a number: times, counts and hits stay below 2^53. Other types are read as usual. */
export const numberTypes = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === types.builtins.INT8 && format !== 'binary'
      ? Number
      : types.getTypeParser(oid, format as 'text')) as GetTypeParser,
};
