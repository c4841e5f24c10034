import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { Plugin } from 'vite';

const ICON = join(import.meta.dirname, '../../../shared/icon.svg');
const RENDERER = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
const BASE = '/dashboard';
/** As in `shared/tokens.css`. */
const COLORS = { background_color: '#f4f3ef', theme_color: '#0b6b57' };

type AppIcon = { name: string; size: number; purpose: 'any' | 'maskable' };
const ICONS: AppIcon[] = [
  { name: 'icon-192.png', size: 192, purpose: 'any' },
  { name: 'icon-512.png', size: 512, purpose: 'any' },
  { name: 'icon-maskable-512.png', size: 512, purpose: 'maskable' },
];
/** iOS reads no icon from a manifest. */
const TOUCH_ICON = { name: 'icon-touch-180.png', size: 180, purpose: 'maskable' } as const;

/** Makes the dashboard installable as an app that other apps can share a URL with. */
export function appManifest(): Plugin {
  return {
    name: 'app-manifest',
    apply: 'build',
    async buildStart() {
      await initWasm(await readFile(RENDERER)).catch(() => {
        // Done by an earlier build of this process.
      });
      const svg = await readFile(ICON, 'utf8');
      for (const icon of [...ICONS, TOUCH_ICON]) {
        this.emitFile({ type: 'asset', fileName: `icons/${icon.name}`, source: draw(svg, icon) });
      }
      const source = JSON.stringify(manifest());
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source });
    },
    transformIndexHtml: () => [
      {
        tag: 'link',
        attrs: { rel: 'manifest', href: `${BASE}/manifest.webmanifest` },
        injectTo: 'head',
      },
      {
        tag: 'link',
        attrs: { rel: 'apple-touch-icon', href: iconUrl(TOUCH_ICON) },
        injectTo: 'head',
      },
    ],
  };
}

function manifest() {
  return {
    id: BASE,
    name: 'Curt',
    short_name: 'Curt',
    start_url: BASE,
    scope: BASE,
    display: 'standalone',
    ...COLORS,
    icons: ICONS.map((icon) => ({
      src: iconUrl(icon),
      sizes: `${icon.size}x${icon.size}`,
      type: 'image/png',
      purpose: icon.purpose,
    })),
    share_target: {
      action: `${BASE}/share`,
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  };
}

function iconUrl({ name }: Pick<AppIcon, 'name'>): string {
  return `${BASE}/icons/${name}`;
}

/** A maskable icon fills its square, since systems cut off the corners. */
function draw(svg: string, { size, purpose }: AppIcon): Uint8Array {
  const drawing =
    purpose === 'any'
      ? svg
      : svg
          .replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"')
          .replace(
            '<rect width="32" height="32" rx="7"',
            '<rect x="-4" y="-4" width="40" height="40"',
          );
  return new Resvg(drawing, { fitTo: { mode: 'width', value: size } }).render().asPng();
}
