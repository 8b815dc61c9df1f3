/** The product's version: put in by the bundle; a run from source says so. */
declare const COPANE_VERSION: string | undefined;
export const VERSION: string = typeof COPANE_VERSION === 'string' ? COPANE_VERSION : '0.0.0-source';
