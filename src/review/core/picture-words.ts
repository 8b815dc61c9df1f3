/** Tells a picture's format and size from its first bytes: two binary files of the same length look alike otherwise. Pure. */

/** "PNG of 20 × 10 pixels"; null if it is no picture that is known here, or cut off. */
export function pictureWords(bytes: Uint8Array): string | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const { format, magic, sizeOf } of FORMATS) {
    if (!magic.test(view.toString('latin1', 0, 16))) continue;
    const [width, height] = sizeOf(view);
    return width === undefined || height === undefined ? null : `${format} of ${width} × ${height} pixels`;
  }
  return null;
}

type Size = readonly [width: number, height: number] | readonly [];

/** The size that `read` finds, unless the file ends before it. */
const ifThere =
  (length: number, read: (view: Buffer) => Size) =>
  (view: Buffer): Size =>
    view.length < length ? [] : read(view);

const FORMATS = [
  {
    format: 'PNG',
    magic: /^\x89PNG\r\n\x1a\n/,
    sizeOf: ifThere(24, (view) => [view.readUInt32BE(16), view.readUInt32BE(20)]),
  },
  {
    format: 'GIF',
    magic: /^GIF8[79]a/,
    sizeOf: ifThere(10, (view) => [view.readUInt16LE(6), view.readUInt16LE(8)]),
  },
  { format: 'JPEG', magic: /^\xff\xd8\xff/, sizeOf: jpegSize },
  {
    format: 'WebP',
    magic: /^RIFF[\s\S]{4}WEBPVP8X/,
    sizeOf: ifThere(30, (view) => [view.readUIntLE(24, 3) + 1, view.readUIntLE(27, 3) + 1]),
  },
  {
    format: 'WebP',
    magic: /^RIFF[\s\S]{4}WEBPVP8 /,
    sizeOf: ifThere(30, (view) => [view.readUInt16LE(26) & 0x3fff, view.readUInt16LE(28) & 0x3fff]),
  },
  {
    format: 'WebP',
    magic: /^RIFF[\s\S]{4}WEBPVP8L/,
    sizeOf: ifThere(25, (view) => {
      const bits = view.readUInt32LE(21);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }),
  },
];

/** The size is in the first "start of frame" segment; the ones before it are skipped by their lengths. */
function jpegSize(view: Buffer): Size {
  for (let at = 2; at + 9 <= view.length && view[at] === 0xff; ) {
    const marker = view[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.readUInt16BE(at + 7), view.readUInt16BE(at + 5)];
    // A marker may be preceded by fill bytes.
    at += marker === 0xff ? 1 : 2 + view.readUInt16BE(at + 2);
  }
  return [];
}
