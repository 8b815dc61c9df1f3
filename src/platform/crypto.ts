/** Random names and digests. `node:crypto` is loaded on first use: it costs a tenth of a short command's start. */

export const randomId = (): string => process.getBuiltinModule('node:crypto').randomUUID();

/** SHA-256, hex. */
export function sha256(text: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
}

/** A unique name made of pid, time and a random number, which needs no module. */
export function uniqueName(): string {
  return `${process.pid}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}
