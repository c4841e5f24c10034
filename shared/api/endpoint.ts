import type { z } from 'zod';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What a request to an endpoint has, and what it answers. Its name is its `operationId`. */
export type EndpointSchemas = {
  /** Method and path below `/api`. */
  route: `${Method} /${string}`;
  /** The parameters in the path. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  /** The JSON body. */
  body?: z.ZodType;
  /** The body is a file instead. */
  sendsFile?: true;
  /** The JSON body of the 200. */
  answer?: z.ZodObject;
  /** The answer is for a file. */
  answersFile?: true;
  /** Takes longer than other requests: exports, imports, moves of many links. */
  isSlow?: true;
  /** Only for pages of the server itself, with their cookies: a proxy recognizes the person by them. */
  isSameOrigin?: true;
};

export type Endpoints = Record<string, EndpointSchemas>;

/** Returns the same table, with the exact types of its rows. */
export function endpoints<const T extends Endpoints>(table: T): T {
  return table;
}
