/** The part of picomatch that is used; the package brings no types. */
declare module 'picomatch' {
  export default function picomatch(
    globs: string | string[],
    options?: { readonly dot?: boolean },
  ): (text: string) => boolean;
}
