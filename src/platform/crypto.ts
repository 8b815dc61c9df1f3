/** Names and digests. `node:crypto` is loaded with the first of them: for a short command it is a tenth of the start. */

/** A new UUID. */
export function randomId(): string {
  return process.getBuiltinModule('node:crypto').randomUUID();
}

/** SHA-256, hex. */
export function sha256(text: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
}

/** A name that no other process has, nor had: from its number, the time and chance, so that nothing is loaded for it. */
export function uniqueName(): string {
  return `${process.pid}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}
