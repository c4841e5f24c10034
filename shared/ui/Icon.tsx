/** Paths on a 24 by 24 grid with a stroke width of 2, in the current text color. */
const PATHS = {
  account: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.5 20.5a7.5 7.5 0 0 1 15 0',
  add: 'M12 5v14M5 12h14',
  alert: 'M12 8v5M12 16.5v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z',
  blocked: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM5.6 5.6l12.8 12.8',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevron: 'm6 9.5 6 6 6-6',
  close: 'm6 6 12 12M18 6 6 18',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  domain:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3.5 12h17M12 3c2.5 2.5 3.5 5.5 3.5 9s-1 6.5-3.5 9c-2.5-2.5-3.5-5.5-3.5-9S9.5 5.5 12 3Z',
  edit: 'M5 19h3.5L19 8.5 15.5 5 5 15.5zM13 7.5l3.5 3.5',
  more: 'M12 5.5v.01M12 12v.01M12 18.5v.01',
  open: 'M14 5h5v5M19 5l-8 8M17 14v5H5V7h5',
  grip: 'M9 6v.01M15 6v.01M9 12v.01M15 12v.01M9 18v.01M15 18v.01',
  load: 'M12 20V9M7.5 13 12 8.5l4.5 4.5M5 4h14',
  links: 'M9 6h11M9 12h11M9 18h11M4.5 6v.01M4.5 12v.01M4.5 18v.01',
  expiry: 'M7 4h10M7 20h10M8.5 4v3.5L12 12l3.5-4.5V4M8.5 20v-3.5L12 12l3.5 4.5V20',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  pause: 'M8.5 5v14M15.5 5v14',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM14 20v-1M20 14v1',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  renew: 'M20 12a8 8 0 1 1-2.5-5.8L20 8.5M20 4v4.5h-4.5',
  resume: 'M8 5.5v13l10.5-6.5z',
  rules:
    'M4 12h5M9 12c3 0 3-6 6-6h5M9 12c3 0 3 6 6 6h5M17.5 3.5 20 6l-2.5 2.5M17.5 15.5 20 18l-2.5 2.5',
  save: 'M12 4v11M7.5 11 12 15.5l4.5-4.5M5 20h14',
  scheduled: 'M5 6h14v14H5zM5 10.5h14M9 3.5v4M15 3.5v4',
  search: 'M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM16 16l4.5 4.5',
  share: 'M12 15V4M8 7.5 12 3.5l4 4M6 11v9h12v-9',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5v5M7 14.5v5',
  statistics: 'M5 20v-7M12 20V4M19 20v-11',
  tag: 'M4 4h8l8 8-8 8-8-8zM8 8v.01',
  undo: 'M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-3',
  wait: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 8v4.5l3 2',
} as const;
export type IconName = keyof typeof PATHS;

/** Renders a decorative icon: its meaning is always in the text beside it or in the button's label. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
