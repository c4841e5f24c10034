import { lazyCode } from '../lazy.ts';

/** What no row needs is loaded after the first ones. */
export const listTools = lazyCode(() => import('./ListTools.tsx'));
