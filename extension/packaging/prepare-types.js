// After an installation: makes the types that the extension's sources need (`wxt prepare`). A
// server that was installed without development dependencies has no wxt, and needs none.
// Plain JavaScript, since any version of Node may run it.

const wxt = await import('wxt').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
});
await wxt?.prepare();
