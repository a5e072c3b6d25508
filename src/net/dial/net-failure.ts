/** Why an exchange failed, in words a person understands (decisions.md A28), with a stable code and the phase. */
export type NetFailure = {
  code: string
  phase: 'dns' | 'connect' | 'tls' | 'request' | 'transfer'
  message: string
}
