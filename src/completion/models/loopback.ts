/** Tells whether a server is on this machine. */

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True for everything but a loopback address. */
export function isRemoteUrl(url: string): boolean {
  return !URL.canParse(url) || !LOOPBACK.test(new URL(url).hostname);
}
