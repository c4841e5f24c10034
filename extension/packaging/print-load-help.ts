import { join } from 'node:path';

const DIST = join(import.meta.dirname, '../../dist');

/** Printed at the end of `npm run build`: how to load the builds into a browser. */
process.stdout.write(`
Chrome, Edge: open chrome://extensions, switch on "Developer mode", "Load unpacked", choose ${join(DIST, 'chrome-mv3')}
Firefox:      open about:debugging#/runtime/this-firefox, "Load Temporary Add-on…", choose ${join(DIST, 'firefox-mv3/manifest.json')}
`);
