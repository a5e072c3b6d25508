/** The way a server goes on after it has sent `say`. */
export type Ending = 'silence' | 'fin' | 'rst' | 'endless' | 'random' | 'drip'

/** Behaviours are plain data because the servers run in another thread than the checks under test. */
export type TcpBehaviour = {
  layer: 'plain' | 'tls' | 'starttls'
  /** The server sends nothing until the client has sent something. */
  isAsked?: boolean
  say: Uint8Array
  ending: Ending
  /** The bytes that `endless` repeats at full speed, and that `drip` sends one by one, each 100 ms. */
  fill: Uint8Array
  /** The dialogue that leads to the upgrade in the layer `starttls`; the server sends the rest within TLS. */
  dialogue?: Dialogue
}

/** Answers are found by the beginning of the client's line. The one that begins with `upgradesOn` is the last in clear. */
export type Dialogue = { greeting: string; answers: readonly (readonly [string, string])[]; upgradesOn: string }

/** Bytes of its own, or of what was received. */
export type Piece = Uint8Array | { from: number; to: number | null }

/** `random` sends datagrams of random bytes without end, `endless` its answer over and over. */
export type UdpBehaviour = { answer: readonly Piece[]; ending: 'silence' | 'endless' | 'random' }

/** Passes on what a good server says, up to a place, or a byte each 100 ms. */
export type Relay = { to: number; cutAt: number | null; ending: 'fin' | 'rst' | 'silence'; isDripping: boolean }

/** `cutAt` is the length to which each datagram of the server is cut. */
export type UdpRelay = { to: number; cutAt: number }

export type WorldCalls = {
  tcp: { given: TcpBehaviour; port: number }
  relay: { given: Relay; port: number }
  udp: { given: UdpBehaviour; port: number }
  udpRelay: { given: UdpRelay; port: number }
  /** UDP and TCP on one port, as name servers have it. */
  dns: { given: { udp: UdpBehaviour | UdpRelay; tcp: TcpBehaviour | Relay }; port: number }
}

export type WorldState = {
  /** Connections from the checks under test that are still open. */
  connections: number
  /** Since the start. */
  accepted: number
  /** Bytes that the servers sent, without the relays. */
  sentBytes: number
  /** Bytes that a relay passed on in its longest connection, by its port. */
  passedBytes: ReadonlyMap<number, number>
}

export type WorldRequest = { id: number } & (
  | { call: 'tcp'; given: TcpBehaviour }
  | { call: 'relay'; given: Relay }
  | { call: 'udp'; given: UdpBehaviour }
  | { call: 'udpRelay'; given: UdpRelay }
  | { call: 'dns'; given: WorldCalls['dns']['given'] }
  | { call: 'state' }
)

export type WorldReply = { id: number; value: number | WorldState }

/** Given to the thread at its start: what its TLS servers show. */
export type WorldCertificate = { chainPem: string; keyPem: string }
