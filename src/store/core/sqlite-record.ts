/** Decodes one SQLite record: a header of types, then the values. Null for malformed bytes. */

export type SqlValue = string | number | Uint8Array | null;

/** A varint of 1 to 9 bytes and the offset after it; null if the bytes end first. */
export function readVarint(
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly end: number } | null {
  let value = 0;
  for (let index = 0; index < 9; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    // Sizes and row ids in copane's databases stay far below 2^53.
    value = index === 8 ? value * 256 + byte : value * 128 + (byte & 0x7f);
    if (byte < 0x80 || index === 8)
      return Number.isSafeInteger(value) ? { value, end: at + index + 1 } : null;
  }
  return null;
}

/** The values of a row; null for malformed bytes. */
export function decodeRecord(payload: Uint8Array): readonly SqlValue[] | null {
  const header = readVarint(payload, 0);
  if (header === null || header.value > payload.length) return null;
  const values: SqlValue[] = [];
  let typeAt = header.end;
  let valueAt = header.value;
  while (typeAt < header.value) {
    const type = readVarint(payload, typeAt);
    if (type === null || type.end > header.value) return null;
    const size = bytesOfType(type.value);
    if (size === null || valueAt + size > payload.length) return null;
    const value = decodeValue(type.value, payload.subarray(valueAt, valueAt + size));
    if (value === undefined) return null;
    values.push(value);
    typeAt = type.end;
    valueAt += size;
  }
  return values;
}

const FIXED_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function bytesOfType(type: number): number | null {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return FIXED_BYTES[type] ?? null;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined if the bytes do not match the type. */
function decodeValue(type: number, bytes: Uint8Array): SqlValue | undefined {
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0);
  if (type <= 6) return Number(BigInt.asIntN(bytes.length * 8, bigEndian(bytes)));
  if (type % 2 === 0) return bytes;
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function bigEndian(bytes: Uint8Array): bigint {
  return bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n);
}
