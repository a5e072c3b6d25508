/** How to reach NATS: plain values, so that they can be handed to a thread. */
export type NatsOptions = {
  /** `host:port` each, tried in random order. Addresses that brokers tell of each other are not used. */
  servers: readonly string[]
  /** Refuses a broker without TLS. Without it TLS is still used where the broker demands it. */
  isTlsRequired: boolean
  login: NatsLogin
  /**
   * Files in PEM: authorities in place of the system's and of NODE_EXTRA_CA_CERTS; a client certificate and its key.
   */
  tlsFiles: { authorities: string | null; certificate: string | null; key: string | null }
  stream: ResultStreamOptions
}

export type NatsLogin =
  | { type: 'none' }
  | { type: 'password'; user: string; password: string }
  | { type: 'token'; token: string }
  /** Holds a user's nkey seed (SU…), or is a credentials file with JWT and seed. Read at every connection. */
  | { type: 'file'; path: string }

export type ResultStreamOptions = {
  /** Brokers that keep a copy. */
  replicas: 1 | 3 | 5
  storage: 'file' | 'memory'
  /** When results of so many bytes wait, publishing is refused until engines have taken some. */
  maxBytes: number
}

export type BusLog = { warn: (message: string, details?: Record<string, unknown>) => void }

/** Why the bus cannot start: one line that the operator can act on. */
export class BusStartError extends Error {
  override readonly name = 'BusStartError'
}

/** The most bytes of one message with configurations; a larger answer is split. */
export const maxAnswerBytes = 512 * 1024

/** What a message needs beside its content. */
export const frameBytes = 4_096
