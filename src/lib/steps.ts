/** Work in steps: a generator yields where its caller may do something else, and returns the result. */
export type Steps<T> = Generator<undefined, T>;

/** Drives `steps` to their end without a pause; gives what they return. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
