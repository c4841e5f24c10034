import { backUp } from './json-file/backup/back-up.ts';
import { restore } from './json-file/backup/restore.ts';
import { assertData } from './json-file/check/assert-data.ts';
import { type CheckReport, checkFolder } from './json-file/check/check-folder.ts';

/** What the command line does with a data folder, without opening it as a store. */
export const folderTools = { assertData, check: checkFolder, backUp, restore };

export type { CheckReport };
