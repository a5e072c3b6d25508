/** A mutant that no test can find, because no caller can see the change. It does not count. */
export interface Equivalent {
  /** From the root. */
  file: string
  /** The whole line, as the mutant leaves it. */
  line: string
  /** Why no change can be seen. */
  because: string
}
