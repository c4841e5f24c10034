import type { ImportSource } from '../../../../shared/links/transfer.ts';
import { bitly } from './bitly.ts';
import { csv } from './csv.ts';
import { curtJson } from './curt.ts';
import { dub } from './dub.ts';
import type { Format } from './format.ts';
import { kutt } from './kutt.ts';
import { shlink } from './shlink.ts';
import { yourls } from './yourls.ts';

export const FORMATS: Record<ImportSource, Format> = {
  curt: { json: curtJson, csv },
  kutt,
  shlink,
  dub,
  yourls,
  bitly,
  csv: { csv },
};
