/**
 * A record that cannot be read; the message is a sentence for the operator's log. Other records of the feed are still
 * read.
 */
export class AdvisoryError extends Error {
  override readonly name = 'AdvisoryError'
}
