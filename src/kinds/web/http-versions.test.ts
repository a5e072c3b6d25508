import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { noPhases, type Verdict } from '#core/results/result.ts'
import type { HttpAnswer, HttpVersion } from '#net/http/http-request.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { transaction } from '#kinds/transaction/transaction.ts'
import { checkOnce, configurationOf } from '../../../test/support/check.ts'
import { http2Server } from '../../../test/support/http2-server.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { api } from './api.ts'
import { noFindings } from './body-look.ts'
import { http } from './http.ts'
import { judgeWeb } from './web-judge.ts'
import type { WebOptions } from './web-options.ts'
import { noAnswers } from './web-questions.ts'

const { root, good } = testCertificates()
setDefaultCACertificates([root.pem])

type Options = Record<string, unknown>

/** What is said of the options, by the name of the option; null where nothing is wrong. */
function problemOf(kind: AnyKind, options: Options): string | null {
  const [issue] = kind.options.safeParse(options).error?.issues ?? []
  return issue === undefined ? null : `${issue.path.join('.')}: ${issue.message}`
}

const wish = { expected_http_version: '2' }
const needsOffer = 'expected_http_version: Needs http2 to be true, so that servers may choose it.'

describe('the options about versions of HTTP', () => {
  const right: [kind: AnyKind, options: Options][] = [http, api].flatMap((kind): [AnyKind, Options][] => [
    [kind, { http2: true }],
    [kind, { http2: true, ...wish }],
    [kind, { http2: true, expected_http_version: '1.1' }],
    [kind, { expected_http_version: '1.1' }],
  ])
  right.push([transaction, { http2: true, steps: [wish, { expected_http_version: '1.1' }] }])
  for (const [kind, options] of right)
    it(`may be ${JSON.stringify(options)} of ${kind.name}`, () => assert.equal(problemOf(kind, options), null))

  const wrong: [kind: AnyKind, options: Options, problem: string][] = [
    [http, wish, needsOffer],
    [http, { ...wish, http2: false }, needsOffer],
    [api, wish, needsOffer],
    [transaction, { steps: [{}, wish] }, `steps.1.${needsOffer}`],
    [transaction, { ...wish, http2: true, steps: [{}] }, ': Unrecognized key: "expected_http_version"'],
    [
      http,
      { http2: true, expected_http_version: '3' },
      'expected_http_version: Invalid option: expected one of "2"|"1.1"',
    ],
    [http, { http2: 'yes' }, 'http2: Invalid input: expected boolean, received string'],
  ]
  for (const [kind, options, problem] of wrong)
    it(`are not ${JSON.stringify(options)} of ${kind.name}`, () => assert.equal(problemOf(kind, options), problem))
})

const answered: HttpAnswer = {
  status: 200,
  version: '2',
  headers: {},
  body: Buffer.alloc(0),
  isTruncated: false,
  finalUrl: 'https://example.com/',
  redirects: [],
  address: '192.0.2.1',
  tls: null,
}

describe('the version of an answer', () => {
  const offered = { http2: true, expected_http_version: '2' } as const
  const failed = { failed_assertion: 'http_version' }
  const cases: [version: HttpVersion, options: WebOptions, error: string | null, details: object][] = [
    ['2', offered, null, { http_version: '2' }],
    ['1.1', offered, 'The answer came by HTTP/1.1, expected HTTP/2', { http_version: '1.1', ...failed }],
    [
      '2',
      { http2: true, expected_http_version: '1.1' },
      'The answer came by HTTP/2, expected HTTP/1.1',
      { http_version: '2', ...failed },
    ],
    [
      '1.0',
      { expected_http_version: '1.1' },
      'The answer came by HTTP/1.0, expected HTTP/1.1',
      { http_version: '1.0', ...failed },
    ],
    ['2', { http2: true }, null, { http_version: '2' }],
    ['1.1', { http2: true }, null, { http_version: '1.1' }],
    ['1.1', { http2: false }, null, {}],
    ['1.0', {}, null, {}],
  ]
  for (const [version, options, error, details] of cases)
    it(`${version} is ${error === null ? 'right' : 'wrong'} by ${JSON.stringify(options)}`, () => {
      const outcome = { ok: true, answer: { ...answered, version }, latencyMs: 10, phases: noPhases } as const
      const check = { ...configurationOf(http, { url: answered.finalUrl }), options }
      const verdict = judgeWeb({ outcome, findings: noFindings, answers: noAnswers }, check)
      assert.deepEqual([verdict.error, verdict.details], [error, details])
      assert.equal(verdict.status, error === null ? 'up' : 'down')
    })
})

describe('a check that offers HTTP/2', async () => {
  const { port } = await http2Server(good, (request, response) => {
    const { httpVersion: version, url, headers } = request
    if (url === '/login') response.setHeader('set-cookie', 'session=abc')
    if (url === '/guarded' && headers.authorization?.startsWith('Digest ') !== true) {
      response.setHeader('www-authenticate', 'Digest realm="a", nonce="b", qop="auth"')
      response.statusCode = 401
    }
    response.end(JSON.stringify({ version, cookie: headers.cookie ?? null }))
  })
  const origin = `https://127.0.0.1:${port}`
  const tls = { cert: good.pem, key: good.keyPem }
  const old = await httpServer((_, response) => response.end('{}'), { tls })

  for (const kind of [http, api]) {
    it(`tells the version that the server chose (${kind.name})`, async () => {
      const options = { http2: true, ...wish, json_path: 'version', expected_value: '2.0' }
      const { status, error, details } = await checkOnce(kind, { url: `${origin}/`, options })
      assert.deepEqual([status, error, details], ['up', null, { http_version: '2' }])
    })

    it(`is down where the server chooses another than is expected (${kind.name})`, async () => {
      const options = { http2: true, ...wish }
      const verdict = await checkOnce(kind, { url: `https://127.0.0.1:${old.port}/`, options })
      assert.deepEqual([verdict.status, verdict.error], ['down', 'The answer came by HTTP/1.1, expected HTTP/2'])
      assert.deepEqual(verdict.details, { http_version: '1.1', failed_assertion: 'http_version' })
    })
  }

  it('is up by HTTP/1.1 where nothing is expected', async () => {
    const { status, details } = await checkOnce(http, {
      url: `https://127.0.0.1:${old.port}/`,
      options: { http2: true },
    })
    assert.deepEqual([status, details], ['up', { http_version: '1.1' }])
  })

  it('signs in by digest', async () => {
    const options = { http2: true, sign_in: 'digest', sign_in_name: 'ann', sign_in_secret: 'secret' }
    const { status, details } = await checkOnce(http, { url: `${origin}/guarded`, options })
    assert.deepEqual([status, details], ['up', { http_version: '2' }])
  })

  it('carries the cookies of a transaction from step to step', async () => {
    const steps = [
      { url: '/login', ...wish },
      { url: '/cart', json_path: 'cookie', expected_value: 'session=abc' },
      { url: `https://127.0.0.1:${old.port}/` },
    ]
    const verdict = await checkOnce(transaction, { url: `${origin}/`, options: { http2: true, steps } })
    assert.deepEqual([verdict.status, verdict.error], ['up', null])
    assert.deepEqual(versionsOf(verdict), ['2', '2', '1.1'])
  })

  it('tells the steps of a transaction nothing where nobody asked', async () => {
    const verdict = await checkOnce(transaction, { url: `${origin}/`, options: { steps: [{ url: '/' }] } })
    assert.deepEqual(versionsOf(verdict), [undefined])
  })
})

function versionsOf({ details: { steps } }: Verdict): unknown[] {
  return Array.isArray(steps) ? steps.map(({ http_version: version }) => version) : []
}
