/**
 * Why an exchange failed. `message` is a sentence for a person and holds the word that tells the causes apart, such as
 * "timed out" or "refused" (docs/decisions/targets-and-kinds.md, "The text of a failure"); `code` is stable.
 */
export type NetFailure = {
  code: string
  phase: 'dns' | 'connect' | 'tls' | 'request' | 'transfer'
  message: string
}
