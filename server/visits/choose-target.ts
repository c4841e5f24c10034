import type { Link } from '../store/link.ts';

export function targetUrlOf({ targetUrl, rules }: Link, target: number): string {
  return rules[target]?.originalUrl ?? targetUrl;
}
