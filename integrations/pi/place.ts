/** Where copane is; comes from the file that "copane init pi" wrote. */
export interface Place {
  /** Path of `bin/copane`. */
  readonly program: string;
  /** The folder into which states are told. */
  readonly hooks: string;
}
