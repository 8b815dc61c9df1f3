/** Work in steps: a generator yields where its caller may do something else, and finally returns the result. */
export type Steps<T> = Generator<undefined, T>;

/** Runs `steps` to the end without a pause and returns their result. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
