import assert from 'node:assert/strict'
import { createNet, type NetOptions } from '#net/create-net.ts'
import type { Net } from '#net/net.ts'
import type { HttpAnswer, HttpOutcome, HttpRequest } from '#net/http/http-request.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { timed } from './timed.ts'

export const openNet: Net = createNet({ allowPrivate: 'all' })

/** For tests that must not reach for the network: whatever is asked of it fails the test. */
export const noNet: Net = new Proxy(openNet, { get: () => assert.fail('no net') })

/** One exchange with sensible wishes; `timeoutMs` also ends it. */
export function get(url: string, wishes: Partial<HttpRequest> = {}, options?: NetOptions): Promise<HttpOutcome> {
  const net = options === undefined ? openNet : createNet(options)
  const timeoutMs = wishes.timeoutMs ?? 5000
  const request = {
    method: 'GET',
    headers: {},
    body: null,
    maxRedirects: 10,
    headersOnly: false,
    maxBodyBytes: 1024 * 1024,
    maxWireBytes: 10 * 1024 * 1024,
    ...wishes,
    url: new URL(url),
    timeoutMs,
  }
  return timed(() => net.http(request, AbortSignal.timeout(timeoutMs)))
}

export function answerOf(outcome: HttpOutcome): HttpAnswer & { text: string } {
  if (!outcome.ok) throw new Error(`The exchange failed: ${outcome.failure.message}`)
  return { ...outcome.answer, text: Buffer.from(outcome.answer.body).toString('utf8') }
}

export function failureOf(outcome: { ok: true } | { ok: false; failure: NetFailure }): NetFailure {
  if (outcome.ok) throw new Error('The exchange did not fail.')
  return outcome.failure
}
