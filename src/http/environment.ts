/** What a request is handed by the server beside itself. `address` is the socket's peer. */
export type HttpBindings = { address: string }

export type HttpEnv = {
  Bindings: HttpBindings
  Variables: {
    requestId: string
    /** The client's, see client-address.ts. */
    address: string
    /** What limits count it as: see addressGroup. */
    addressGroup: string
  }
}
