/** Printed at the end of `npm run build`: how to load the builds into a browser. */
process.stdout.write(`
Chrome, Edge: open chrome://extensions, switch on "Developer mode", "Load unpacked", choose dist/chrome-mv3
Firefox:      open about:debugging#/runtime/this-firefox, "Load Temporary Add-on…", choose dist/firefox-mv3/manifest.json
`);
