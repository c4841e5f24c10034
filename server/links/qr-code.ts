import QRCode from 'qrcode';

// Four modules of quiet zone, as the standard asks; 512 pixels print well and weigh little.
const OPTIONS = { margin: 4, errorCorrectionLevel: 'M' } as const;
const PNG_WIDTH_PIXELS = 512;

export function qrSvg(text: string): Promise<string> {
  return QRCode.toString(text, { ...OPTIONS, type: 'svg' });
}

export function qrPng(text: string): Promise<Buffer> {
  return QRCode.toBuffer(text, { ...OPTIONS, type: 'png', width: PNG_WIDTH_PIXELS });
}

/** @returns `data:image/png;base64,…` */
export async function qrDataUrl(text: string): Promise<string> {
  return `data:image/png;base64,${(await qrPng(text)).toString('base64')}`;
}
