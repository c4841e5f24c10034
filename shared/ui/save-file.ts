/** Enough time for the browser to start the download. */
const RELEASE_AFTER_MS = 60_000;

/** Downloads a file. Needs no permission. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_AFTER_MS);
}
