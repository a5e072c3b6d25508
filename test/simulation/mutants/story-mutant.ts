/** A defect that such a system could have, planted in a file that the simulation plays. */
export type StoryMutant = {
  /** Names it on the command line. */
  name: string
  /** From the root. */
  file: string
  /** Occurs once in the file. */
  text: string
  replacement: string
  /** Which defect it is, in a sentence. */
  defect: string
}
