import { beforeAll } from 'vitest';
import { rememberFile } from './not-run.ts';

// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern
beforeAll(({}, file) => rememberFile(file));
