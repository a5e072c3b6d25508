/** A failure to start that the operator can mend: its message is the one line shown to them. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
