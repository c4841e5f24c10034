import { buildApp } from '../../../server/app.ts';
import { readSettings } from '../../../server/config.ts';
import { readBuiltFiles } from '../../../server/lib/shipped-files.ts';
import { openJsonFileStore } from '../../../server/store/json-file/json-file-store.ts';

/** The server with a given data folder, and with the pages of a given folder as its dashboard. */
const [data = '', pages = ''] = process.argv.slice(2);
const fail = (error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
};
const dashboard = readBuiltFiles(pages);
if (!dashboard) throw new Error(`${pages} has no built pages.`);
const store = await openJsonFileStore(data, { onError: fail, onWarning: fail });
const app = await buildApp({ settings: readSettings(), store, dashboard });
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
