// The cost of a check when nothing is stored: by node:http, by our own exchange, and over a bare socket.
import { request } from 'node:http'
import { request as requestTls } from 'node:https'
import { connect } from 'node:net'
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls'
import { createNet } from '#net/create-net.ts'

/** One check of the target; rejects when it fails. */
export type Client = (url: string) => Promise<void>

export type Cost = { cpuMs: number; perSecond: number }

const concurrency = 64
const timeoutMs = 10_000
const maxWireBytes = 10 * 1024 * 1024

/** A fresh connection each, as every monitor asks for. CPU is user and system time of this process. */
export async function costOf(client: Client, urls: readonly string[], checks: number): Promise<Cost> {
  let left = checks
  const startedAt = performance.now()
  const before = process.cpuUsage()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await client(urls[left % urls.length] ?? '')
    }),
  )
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1000 / checks, perSecond: (checks * 1000) / (performance.now() - startedAt) }
}

export function nodeHttp(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const { signal, timer } = deadline()
    const send = url.startsWith('https:') ? requestTls : request
    const sent = send(url, { agent: false, signal, headers: { 'user-agent': 'bench' } })
    sent.once('response', (answer) => {
      answer.resume()
      answer.once('end', () => {
        clearTimeout(timer)
        resolve()
      })
    })
    sent.once('error', reject)
    sent.end()
  })
}

export function bareSocket(url: string): Promise<void> {
  const { hostname: host, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port) })
    socket.once('connect', () => socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`, 'latin1'))
    socket.once('error', reject)
    socket.once('data', () => {
      socket.destroy()
      resolve()
    })
  })
}

/** TLS over one shared context, in full or with the session that the address handed out last. */
export function bareTls({ isResumed }: { isResumed: boolean }): Client {
  const sessions = new Map<string, Buffer>()
  let secureContext: SecureContext | undefined
  return (url) => {
    const { hostname: host, port } = new URL(url)
    const session = isResumed ? sessions.get(url) : undefined
    // The first call comes after the bench's own authority is trusted.
    secureContext ??= createSecureContext()
    return new Promise((resolve, reject) => {
      const socket = connectTls({
        host,
        port: Number(port),
        secureContext,
        ...(session === undefined ? {} : { session }),
      })
      socket.on('session', (next) => sessions.set(url, next))
      socket.once('secureConnect', () =>
        socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`, 'latin1'),
      )
      socket.once('error', reject)
      socket.once('data', () => {
        socket.destroy()
        resolve()
      })
    })
  }
}

/** The exchange of src/net, asked as a plain http monitor asks. */
export function ownExchange(): Client {
  const net = createNet({ allowPrivate: 'all' })
  return async (url) => {
    const { signal, timer } = deadline()
    const outcome = await net.http(
      {
        url: new URL(url),
        method: 'GET',
        headers: { 'user-agent': 'bench', accept: '*/*' },
        body: null,
        maxRedirects: 10,
        headersOnly: false,
        maxBodyBytes: 0,
        maxWireBytes,
        timeoutMs,
      },
      signal,
    )
    clearTimeout(timer)
    if (!outcome.ok || outcome.answer.status !== 200) throw new Error(JSON.stringify(outcome))
  }
}

function deadline(): { signal: AbortSignal; timer: NodeJS.Timeout } {
  const controller = new AbortController()
  return { signal: controller.signal, timer: setTimeout(() => controller.abort(), timeoutMs) }
}
