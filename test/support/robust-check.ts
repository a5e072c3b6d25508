import assert from 'node:assert/strict'
import { type OutsideServices, publicServices } from '#core/monitors/outside-services.ts'
import type { ResultStatus, Verdict } from '#core/results/result.ts'
import { kinds } from '#kinds/index.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { createNet } from '#net/create-net.ts'
import type { Dialogue } from './broken-behaviours.ts'
import { configurationOf } from './check.ts'

/** One kind and the check that points it at a broken server, which listens at a port of 127.0.0.1. */
export type Subject = {
  name: string
  kind: AnyKind
  layer: 'plain' | 'tls' | 'starttls'
  check: (port: number) => Checked
  /** A server that satisfies it. */
  good: () => Promise<number>
  /** The status of the target when the server is no good. Trouble of an outside service makes it degraded, not down. */
  broken: ResultStatus
  /** The dialogue that leads to the upgrade in the layer `starttls`. */
  dialogue?: Dialogue
  /** The server speaks when it is asked only. */
  isAsked: boolean
  /** Up to which share of a good answer all of it is needed. */
  needs: number
}

export type Checked = {
  url: string
  options?: Record<string, unknown>
  keyword?: string
  services?: Partial<OutsideServices>
  dnsServers?: string[]
}

export type Ended = {
  verdict: Verdict
  /** From the deadline on; 0 when the check ended before. */
  lateMs: number
}

/** One check over a net of its own, because some kinds remember what they have learnt through one. */
export async function checkRobustly(kind: AnyKind, checked: Checked, timeoutMs: number): Promise<Ended> {
  const { url, options = {}, keyword = null, services = {}, dnsServers = [] } = checked
  const net = createNet({ allowPrivate: 'all', services: { ...publicServices, ...services }, dnsServers })
  const configuration = configurationOf(kind, { url, options, keyword, timeoutMs })
  const deadline = new AbortController()
  let abortedAt = Infinity
  const timer = setTimeout(() => {
    abortedAt = performance.now()
    deadline.abort()
  }, timeoutMs)
  const verdict = await kind.check(configuration, net, deadline.signal).finally(() => clearTimeout(timer))
  return { verdict, lateMs: Math.max(0, performance.now() - abortedAt) }
}

/** From the deadline to the result there is nothing left to do but to close and to judge, both by this loop. */
const marginMs = 500

/** In time, and with a status that is right; a text of one sentence or more unless it is up. */
export function assertEnded({ verdict, lateMs }: Ended, name: string, allowed: readonly ResultStatus[]): void {
  const { status, error } = verdict
  assert.ok(lateMs <= marginMs, `${name}: ${lateMs} ms late`)
  assert.ok(allowed.includes(status), `${name}: ${status}, ${error}`)
  if (status === 'up') assert.equal(error, null, name)
  else assert.match(String(error), /^\S[^\p{C}]{10,499}$/u, name)
}

export function kindOf(name: keyof typeof kinds): AnyKind {
  const kind = kinds[name]
  if (kind === undefined) throw new TypeError(`There is no kind ${name}.`)
  return kind
}

/** Makes an answer long enough to be cut at several places. */
export const filler = 'All is well here. '.repeat(200)
