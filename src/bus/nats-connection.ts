// One connection to NATS that is never given up. While the broker is away, nothing is buffered for it.
import { isIP } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import {
  AuthorizationError,
  connect,
  type Msg,
  type NatsConnection as Client,
  type NodeConnectionOptions,
  type Status,
  type SubscriptionOptions,
} from '@nats-io/transport-node'
import type { Unsubscribe } from './bus.ts'
import { authenticatorOf } from './nats-login.ts'
import { type BusLog, BusStartError, frameBytes, maxAnswerBytes, type NatsOptions } from './nats-options.ts'
import { atMost, pause, seldom } from './pace.ts'

export type ConnectionOptions = {
  nats: NatsOptions
  /** Shown in the broker's own lists. */
  name: string
  /** First token of the subjects on which answers come. */
  inboxPrefix: string
  log: BusLog
  /** How long the broker may be away at the start. */
  startMs?: number
}

const startWithinMs = 30_000
const attemptMs = 5_000
const startPauseMs = 250
/** A broker that leaves two of these unanswered is taken for gone. */
const pingMs = 5_000
/** Pauses between attempts are spread, because all clients lose a broker at the same moment. */
const reconnectMs = { least: 200, most: 1_500 }
const drainMs = 5_000

/** Resolves when the broker has let us in; throws BusStartError when it refuses, or is away for too long. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { nats, startMs = startWithinMs, log } = options
  const settings = settingsOf(options)
  const until = performance.now() + startMs
  for (;;) {
    try {
      const client = await connect(settings)
      // The client forgets servers that did not answer at first.
      client.setServers([...nats.servers])
      requireRoom(client)
      return new Connection(client, log)
    } catch (error) {
      if (error instanceof BusStartError) throw error
      const why = error instanceof Error ? error.message : String(error)
      if (error instanceof AuthorizationError || performance.now() > until)
        throw new BusStartError(`NATS at ${nats.servers.join(', ')} could not be reached: ${why}`, { cause: error })
      await pause(startPauseMs)
    }
  }
}

export class Connection {
  readonly client: Client
  readonly #log: BusLog
  readonly #warnOfRefused: (details: Record<string, unknown>) => void
  readonly #reconnected = new Set<() => void>()
  #isAway = false
  #isClosing = false

  constructor(client: Client, log: BusLog) {
    this.client = client
    this.#log = log
    this.#warnOfRefused = seldom(log, 'NATS refused something.')
    void this.#watch()
  }

  get isConnected(): boolean {
    return !this.#isAway && !this.#isClosing
  }

  onReconnect(handler: () => void): Unsubscribe {
    this.#reconnected.add(handler)
    return () => this.#reconnected.delete(handler)
  }

  /** Resolves as soon as the broker is there; throws when it is not by `untilMs` (of performance.now). */
  async available(untilMs: number): Promise<void> {
    while (!this.isConnected) {
      const leftMs = untilMs - performance.now()
      if (leftMs <= 0 || this.#isClosing) throw new Error('NATS is away.')
      await this.#reconnection(leftMs)
    }
  }

  /** At most once: dropped while the broker is away. */
  send(subject: string, bytes: Uint8Array): void {
    if (this.isConnected) this.client.publish(subject, bytes)
  }

  /** A message at which the handler throws cannot be understood here: it is dropped with a warning. */
  listen(subject: string, handler: (message: Msg) => void, options: SubscriptionOptions = {}): Unsubscribe {
    const warn = seldom(this.#log, 'A message of NATS was refused.')
    const subscription = this.client.subscribe(subject, {
      ...options,
      callback: (refusal, message) => {
        if (refusal !== null) return this.#warnOfRefused({ subject, error: refusal.message })
        try {
          handler(message)
        } catch (error) {
          warn({ subject: message.subject, error: String(error) })
        }
      },
    })
    return () => subscription.unsubscribe()
  }

  /** Waits a bounded time until what was sent has left. */
  async close(): Promise<void> {
    if (this.#isClosing) return
    this.#isClosing = true
    if (!this.#isAway) await atMost(drainMs, this.client.drain())
    await this.client.close()
  }

  async #watch(): Promise<void> {
    for await (const status of this.client.status()) this.#note(status)
    if (!this.#isClosing) this.#log.warn('The connection to NATS was given up.')
    this.#isAway = true
  }

  #note(status: Status): void {
    if (status.type === 'error') this.#warnOfRefused({ error: status.error.message })
    if (status.type === 'disconnect') {
      if (!this.#isAway && !this.#isClosing) this.#log.warn('The connection to NATS was lost.')
      this.#isAway = true
    }
    if (status.type === 'reconnect') {
      this.#isAway = false
      this.#log.warn('The connection to NATS is back.')
      for (const handler of this.#reconnected) handler()
    }
  }

  #reconnection(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        forget()
        resolve()
      }
      const timer = setTimeout(end, withinMs)
      const forget = this.onReconnect(end)
    })
  }
}

function settingsOf({ nats, name, inboxPrefix }: ConnectionOptions): NodeConnectionOptions {
  const authenticator = authenticatorOf(nats.login)
  const { least, most } = reconnectMs
  return {
    servers: [...nats.servers],
    name,
    inboxPrefix,
    timeout: attemptMs,
    pingInterval: pingMs,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: () => least + Math.random() * (most - least),
    // Credentials may be renewed while the broker is away, so its refusal is not final. Addresses that brokers tell of
    // each other are not the ones that TLS was checked for.
    ignoreAuthErrorAbort: true,
    ignoreClusterUpdates: true,
    noAsyncTraces: true,
    ...(authenticator === undefined ? {} : { authenticator }),
    ...tlsOf(nats),
  }
}

function tlsOf({ servers, isTlsRequired, tlsFiles }: NatsOptions): Pick<NodeConnectionOptions, 'tls'> {
  const { authorities, certificate, key } = tlsFiles
  if (!isTlsRequired && authorities === null && certificate === null) return {}
  const hosts = servers.map(hostOf)
  const tls = {
    checkServerIdentity: (name: string, peer: PeerCertificate) => identityProblem(hosts, name, peer),
    ...(authorities === null ? {} : { caFile: authorities }),
    ...(certificate === null ? {} : { certFile: certificate }),
    ...(key === null ? {} : { keyFile: key }),
  }
  return { tls }
}

/**
 * For an IP address the client passes no host name and Node checks for `localhost`, so the addresses are checked for
 * here.
 */
function identityProblem(hosts: readonly string[], name: string, peer: PeerCertificate): Error | undefined {
  const candidates = name === 'localhost' ? hosts.filter((host) => host === name || isIP(host) !== 0) : [name]
  const problems = candidates.map((host) => checkServerIdentity(host, peer))
  return problems.includes(undefined) ? undefined : (problems[0] ?? checkServerIdentity(name, peer))
}

function hostOf(server: string): string {
  return server.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
}

function requireRoom(client: Client): void {
  const limit = client.info?.max_payload ?? 0
  if (limit >= maxAnswerBytes + frameBytes) return
  void client.close()
  throw new BusStartError(`NATS accepts messages of ${limit} bytes. Perigee needs a max_payload of 1MB.`)
}
