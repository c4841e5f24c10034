/** Time for the browser to have taken the file over. */
const RELEASE_AFTER_MS = 60_000;

/** Hands a file to the browser's downloads, which need no permission for that. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_AFTER_MS);
}
