// Runs after `npm install` and generates the types for the extension (`wxt prepare`). Does nothing
// without development dependencies, as on a server. Plain JavaScript, so that any version of Node
// can run it.

const wxt = await import('wxt').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
});
await wxt?.prepare();
