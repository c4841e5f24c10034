import { join } from 'node:path';
import { writeFiles } from './files.ts';
import { drawIcons } from './icons.ts';

/** `npm run icons`: draws the icons again after a change of `shared/icon.svg`. */
await writeFiles(join(import.meta.dirname, '..'), await drawIcons());
