/** Returns an address as messages may show it: a password in it stays out of logs and terminals. */
export function hidePassword(address: string): string {
  return address.replace(/^([a-z]+:\/\/)?[^/?#:@]*:[^/?#]*@/i, '$1…@');
}
