/** A record that cannot be read, in a sentence for the operator's log. Others of the same feed are read all the same. */
export class AdvisoryError extends Error {
  override readonly name = 'AdvisoryError'
}
