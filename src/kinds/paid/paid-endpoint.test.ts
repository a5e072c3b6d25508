import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { noPhases, type Verdict } from '#core/results/result.ts'
import type { HttpAnswer } from '#net/http/http-request.ts'
import { checkOnce, configurationOf } from '../../../test/support/check.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { offeringMpp, offeringX402, pinnedSale } from '../../../test/support/sale-offers.ts'
import { paidEndpoint } from './paid-endpoint.ts'
import { judgePaid } from './paid-judge.ts'
import { paidOptions } from './paid-options.ts'

const other = `0x${'ab'.repeat(20)}`
const offer = {
  network: pinnedSale.network,
  asset: pinnedSale.asset.toLowerCase(),
  payee: pinnedSale.payee.toLowerCase(),
  price: '10000',
}

type Case = {
  title: string
  status?: number
  headers?: Record<string, string>
  options?: Record<string, unknown>
  latencyMs?: number
  verdict: Verdict['status']
  error?: string
  details: Verdict['details']
}

const x402 = (...wishes: Readonly<Record<string, unknown>>[]) => ({ 'payment-required': offeringX402(...wishes) })
const mpp = (wish = {}) => ({ 'www-authenticate': offeringMpp(wish) })
const failed = (assertion: string, offered?: Record<string, string>) => ({
  failed_assertion: assertion,
  ...(offered === undefined ? {} : { offered: { protocol: 'x402', ...offer, ...offered } }),
})
const noOffer = failed('offer')

const cases: readonly Case[] = [
  { title: 'the pinned offer by x402', headers: x402(), verdict: 'up', details: { protocol: 'x402', price: '10000' } },
  { title: 'the pinned offer by MPP', headers: mpp(), verdict: 'up', details: { protocol: 'mpp', price: '10000' } },
  {
    title: 'a lower price',
    headers: x402({ amount: '9999' }),
    verdict: 'up',
    details: { protocol: 'x402', price: '9999' },
  },
  {
    title: 'pins in other letters',
    headers: x402(),
    options: { asset: pinnedSale.asset.toLowerCase(), payee: `0x${pinnedSale.payee.slice(2).toUpperCase()}` },
    verdict: 'up',
    details: { protocol: 'x402', price: '10000' },
  },
  {
    title: 'both protocols, of which the cheaper one counts',
    headers: { ...x402(), ...mpp({ amount: '5' }) },
    verdict: 'up',
    details: { protocol: 'mpp', price: '5' },
  },
  {
    title: 'both protocols at one price, of which the first one counts',
    headers: { ...x402(), ...mpp() },
    verdict: 'up',
    details: { protocol: 'x402', price: '10000' },
  },
  {
    title: 'the pinned offer among others',
    headers: x402({ network: 'eip155:1', amount: '1' }, { payTo: other, amount: '1' }, {}),
    verdict: 'up',
    details: { protocol: 'x402', price: '10000' },
  },
  {
    title: 'a price above the highest',
    headers: x402({ amount: '10001' }),
    verdict: 'degraded',
    error: 'The price is 10001, above the highest of 10000',
    details: failed('highest_price', { price: '10001' }),
  },
  {
    title: 'another payee, whatever the price',
    headers: x402({ payTo: other, amount: '10001' }),
    verdict: 'down',
    error: `The payee of the offer is ${other}, expected ${pinnedSale.payee}`,
    details: failed('payee', { payee: other, price: '10001' }),
  },
  {
    title: 'another token',
    headers: x402({ asset: other }),
    verdict: 'down',
    error: `The asset of the offer is ${other}, expected ${pinnedSale.asset}`,
    details: failed('asset', { asset: other }),
  },
  {
    title: 'the same token on another network',
    headers: x402({ network: 'eip155:1' }),
    verdict: 'down',
    error: 'The network of the offer is eip155:1, expected eip155:8453',
    details: failed('network', { network: 'eip155:1' }),
  },
  {
    title: 'several offers that differ, of which the nearest is named',
    headers: x402({ network: 'eip155:1' }, { amount: '20000' }, { amount: '10002' }, { payTo: other }),
    verdict: 'degraded',
    error: 'The price is 10002, above the highest of 10000',
    details: failed('highest_price', { price: '10002' }),
  },
  {
    title: 'an answer free of charge',
    status: 200,
    verdict: 'degraded',
    error: 'The answer came without payment: HTTP status 200, expected 402',
    details: failed('status'),
  },
  {
    title: 'an answer free of charge at the upper edge',
    status: 299,
    headers: x402(),
    verdict: 'degraded',
    error: 'The answer came without payment: HTTP status 299, expected 402',
    details: failed('status'),
  },
  {
    title: 'a redirect',
    status: 300,
    verdict: 'down',
    error: 'HTTP status 300, expected 402',
    details: failed('status'),
  },
  {
    title: 'a switch of protocols',
    status: 199,
    verdict: 'down',
    error: 'HTTP status 199, expected 402',
    details: failed('status'),
  },
  {
    title: 'no offer',
    verdict: 'down',
    error: 'HTTP status 402 without an offer of x402 or MPP',
    details: noOffer,
  },
  {
    title: 'an offer of the protocol that is not wanted',
    headers: mpp(),
    options: { protocol: 'x402' },
    verdict: 'down',
    error: 'HTTP status 402 without an offer of x402',
    details: noOffer,
  },
  {
    title: 'the protocol that is wanted, beside a broken one of the other',
    headers: { ...mpp(), 'payment-required': 'broken!' },
    options: { protocol: 'mpp' },
    verdict: 'up',
    details: { protocol: 'mpp', price: '10000' },
  },
  {
    title: 'a broken offer beside a right one, where any protocol is wanted',
    headers: { ...mpp(), 'payment-required': 'broken!' },
    verdict: 'down',
    error: 'The x402 offer cannot be read: it is no JSON of version 2 in base64 with a list of offers',
    details: noOffer,
  },
  {
    title: 'a broken challenge',
    headers: mpp({ amount: '-1' }),
    verdict: 'down',
    error: 'The MPP offer cannot be read: challenge 1 lacks a member, or has one of a wrong form',
    details: noOffer,
  },
  {
    title: 'offers by other means alone',
    headers: x402({ scheme: 'upto' }),
    verdict: 'down',
    error: 'No offer can be paid by an authorization of a token (ERC-3009)',
    details: noOffer,
  },
  {
    title: 'a right offer at the limit of time',
    headers: x402(),
    options: { max_latency_ms: 500 },
    latencyMs: 500,
    verdict: 'up',
    details: { protocol: 'x402', price: '10000' },
  },
  {
    title: 'a right offer beyond it',
    headers: x402(),
    options: { max_latency_ms: 500 },
    latencyMs: 501,
    verdict: 'degraded',
    error: 'The offer took longer than 500 ms',
    details: failed('max_latency_ms'),
  },
  {
    title: 'a wrong offer beyond it',
    headers: x402({ payTo: other }),
    options: { max_latency_ms: 500 },
    latencyMs: 501,
    verdict: 'down',
    error: `The payee of the offer is ${other}, expected ${pinnedSale.payee}`,
    details: failed('payee', { payee: other }),
  },
]

describe('an offer is judged', () => {
  for (const { title, status = 402, headers = {}, latencyMs = 20, verdict, error, details, ...rest } of cases)
    it(title, () => {
      const options = paidOptions.parse({ ...pinnedSale, ...rest.options })
      const check = { ...configurationOf(paidEndpoint, { url: 'https://api.example.com/' }), options }
      const answer: HttpAnswer = {
        status,
        version: '1.1',
        headers,
        body: Buffer.of(),
        isTruncated: false,
        finalUrl: check.url,
        redirects: [],
        address: '192.0.2.1',
        tls: null,
      }
      assert.deepEqual(judgePaid({ ok: true, answer, latencyMs, phases: noPhases }, check), {
        status: verdict,
        statusCode: status,
        latencyMs,
        error: error ?? null,
        phases: noPhases,
        details,
      })
    })
})

describe('the options', () => {
  const problems: [name: string, value: unknown][] = [
    ['network', 'base'],
    ['network', 'eip155:0'],
    ['network', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['asset', pinnedSale.asset.slice(0, -1)],
    ['payee', `${pinnedSale.payee}0`],
    ['payee', pinnedSale.payee.replace('0x', '')],
    ['highest_price', '0'],
    ['highest_price', '0.01'],
    ['highest_price', '-1'],
    ['highest_price', '1'.repeat(79)],
    ['protocol', 'card'],
  ]
  for (const [name, value] of problems)
    it(`refuse ${name} ${String(value)}`, () => {
      const parsed = paidOptions.safeParse({ ...pinnedSale, [name]: value })
      assert.deepEqual(
        parsed.error?.issues.map(({ path }) => path),
        [[name]],
      )
    })

  it('take either protocol by default', () => assert.equal(paidOptions.parse(pinnedSale).protocol, 'any'))
})

describe('a check of kind paid_endpoint', async () => {
  const asked: { method?: string; headers: IncomingMessage['headers']; body: string }[] = []
  const { port } = await httpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', headers } = request
      asked.push({ method, headers, body: Buffer.concat(chunks).toString() })
      const moved = { location: '/', 'payment-required': offeringX402() }
      if (request.url === '/moved') return response.writeHead(307, moved).end()
      if (request.url === '/unfinished')
        return response.writeHead(402, { 'www-authenticate': offeringMpp(), 'content-length': 10 }).flushHeaders()
      return response.writeHead(402, { 'www-authenticate': ['Bearer', offeringMpp()] }).end('{}')
    })
  })
  const check = (path: string, wishes: Partial<Parameters<typeof checkOnce>[1]> = {}) =>
    checkOnce(paidEndpoint, { url: `http://127.0.0.1:${port}${path}`, options: pinnedSale, ...wishes })

  it('sends what is configured once, and no payment', async () => {
    const sent = { method: 'POST', requestHeaders: { 'X-Customer': '7' }, requestBody: '{"city":"Sofia"}' }
    const { status, error, statusCode, details } = await check('/', sent)
    assert.deepEqual([status, error, statusCode], ['up', null, 402])
    assert.deepEqual(details, { protocol: 'mpp', price: '10000' })
    assert.equal(asked.length, 1)
    const [{ method, headers, body } = { headers: {}, body: '' }] = asked
    assert.deepEqual([method, headers['x-customer'], body], ['POST', '7', '{"city":"Sofia"}'])
    assert.deepEqual([headers.accept, headers.authorization], ['application/json', undefined])
  })

  it('follows no redirect', async () => {
    asked.length = 0
    const { status, error } = await check('/moved')
    assert.deepEqual([status, error, asked.length], ['down', 'HTTP status 307, expected 402', 1])
  })

  it('waits for no body', async () => {
    const { status, error, phases } = await check('/unfinished')
    assert.deepEqual([status, error, phases.transferMs], ['up', null, null])
  })

  it('is down where the endpoint cannot be reached', async () => {
    const { status, error, statusCode, latencyMs } = await check('/', {
      url: `http://127.0.0.1:${await freePort()}/`,
    })
    assert.deepEqual([status, statusCode, latencyMs], ['down', null, null])
    assert.match(String(error), /refused/i)
  })
})
