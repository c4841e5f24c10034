import { newClient } from '../api/load-client.ts';

/** Whether the server speaks the APIs of YOURLS and Shlink. */
export async function hasOtherApis(origin: string): Promise<boolean> {
  const health = await newClient({ baseUrl: origin }).getHealth();
  return health.ok && health.data.hasCompat === true;
}
