/** The product's version. The bundle sets it; a run from source says that it is one. */
declare const COPANE_VERSION: string | undefined;
export const VERSION: string = typeof COPANE_VERSION === 'string' ? COPANE_VERSION : '0.0.0-source';
