/** The name of the list of a URL's links. An origin contains no space. */
export function listName(serverOrigin: string, requestedUrl: string): string {
  return `${serverOrigin} ${requestedUrl}`;
}

export function parseListName(name: string): { serverOrigin: string; requestedUrl: string } {
  const end = name.indexOf(' ');
  return { serverOrigin: name.slice(0, end), requestedUrl: name.slice(end + 1) };
}
