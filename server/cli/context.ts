import type { Environment } from './environment.ts';
import type { Output } from './terminal/output.ts';

/** What every command needs. */
export type Context = { environment: Environment; output: Output };
