/** More than any code shows, and small in a file. */
const LOGO_PIXELS = 256;

/** The logo of the brand: the icon of this page, or of the extension. */
export async function readBrandLogo(): Promise<HTMLCanvasElement> {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href;
  const response = await fetch(icon ?? '/icon/128.png');
  return readLogo(await response.blob());
}

/** Draws a picture onto a square, so that nothing else of its file gets into the code. @throws if it is none */
export async function readLogo(picture: Blob): Promise<HTMLCanvasElement> {
  const url = URL.createObjectURL(picture);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    // A vector picture may have no size.
    const { naturalWidth: width = 0, naturalHeight: height = 0 } = image;
    const scale = LOGO_PIXELS / (Math.max(width, height) || LOGO_PIXELS);
    const [drawnWidth, drawnHeight] = [width, height].map((side) => (side || LOGO_PIXELS) * scale);
    const canvas = document.createElement('canvas');
    canvas.width = LOGO_PIXELS;
    canvas.height = LOGO_PIXELS;
    const left = (LOGO_PIXELS - (drawnWidth ?? 0)) / 2;
    const top = (LOGO_PIXELS - (drawnHeight ?? 0)) / 2;
    canvas.getContext('2d')?.drawImage(image, left, top, drawnWidth ?? 0, drawnHeight ?? 0);
    return canvas;
  } finally {
    URL.revokeObjectURL(url);
  }
}
