import { type ApiClient, type ApiClientOptions, createApiClient } from './api/client.ts';
import { ENDPOINTS } from './api/endpoints.ts';

export type { Explained, Failed, Failure, Limit, Limits, Result } from './client/result.ts';
export type Client = ApiClient<typeof ENDPOINTS>;

/** Creates a client for the API, apart from that of administrators. */
export function createClient(options: ApiClientOptions): Client {
  return createApiClient(ENDPOINTS, options);
}
