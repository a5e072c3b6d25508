import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { noPhases } from '#core/results/result.ts'
import type { HttpAnswer, HttpOutcome } from '#net/http/http-request.ts'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { configurationOf } from '../../../test/support/check.ts'
import { http } from './http.ts'
import type { Check } from '#kinds/kind.ts'
import { type BodyFindings, noFindings } from './body-look.ts'
import { noAnswers } from './web-questions.ts'
import { judgeWeb } from './web-judge.ts'
import type { ExpectedHeader, WebOptions } from './web-options.ts'

const answer: HttpAnswer = {
  status: 200,
  version: '1.1',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"status":"ok","count":5,"none":null}'),
  isTruncated: false,
  finalUrl: 'https://example.com/',
  redirects: [],
  address: '192.0.2.1',
  tls: null,
}

type Case = {
  title: string
  answer?: Partial<HttpAnswer>
  latencyMs?: number
  findings?: Partial<BodyFindings>
  check?: Partial<Check<WebOptions>>
  status: 'up' | 'down' | 'degraded'
  error?: string
  details?: Record<string, unknown>
}

const json = (options: WebOptions): Partial<Check<WebOptions>> => ({ options })
const jsonFailed = { failed_assertion: 'json_path' }

const headerFailed = { failed_assertion: 'header' }
const expecting = (...headers: ExpectedHeader[]): Partial<Check<WebOptions>> => json({ expected_headers: headers })
const jsonType = { name: 'Content-Type', match: 'equals', value: 'application/json' } as const
const headerCases: readonly Case[] = [
  { title: 'a header as expected', check: expecting(jsonType), status: 'up' },
  {
    title: 'a header that equals where nothing else is said',
    check: expecting({ name: 'content-type', value: 'application/json' }),
    status: 'up',
  },
  {
    title: 'a header that contains a text',
    check: expecting({ name: 'content-type', match: 'contains', value: 'json' }),
    status: 'up',
  },
  { title: 'a header that is there', check: expecting({ name: 'content-type', match: 'present' }), status: 'up' },
  { title: 'a header that is not there', check: expecting({ name: 'x-debug', match: 'absent' }), status: 'up' },
  {
    title: 'a header that is missing',
    check: expecting(jsonType, { name: 'X-Frame-Options', match: 'present' }),
    status: 'down',
    error: 'Header X-Frame-Options is missing',
    details: headerFailed,
  },
  {
    title: 'a header that should not be there',
    answer: { headers: { 'x-debug': 'on' } },
    check: expecting({ name: 'X-Debug', match: 'absent' }),
    status: 'down',
    error: 'Header X-Debug is there: "on"',
    details: headerFailed,
  },
  {
    title: 'a header with another value',
    check: expecting({ name: 'content-type', value: 'text/html' }),
    status: 'down',
    error: 'Header content-type is "application/json", expected "text/html"',
    details: headerFailed,
  },
  {
    title: 'a header without a text, and a long value',
    answer: { headers: { via: 'v'.repeat(300) } },
    check: expecting({ name: 'via', match: 'contains', value: 'cache' }),
    status: 'down',
    error: `Header via is "${'v'.repeat(197)}...", expected to contain "cache"`,
    details: headerFailed,
  },
]

const cases: readonly Case[] = [
  { title: 'a status inside the range', status: 'up' },
  { title: 'the least status', answer: { status: 200 }, status: 'up' },
  { title: 'the greatest status', answer: { status: 399 }, status: 'up' },
  {
    title: 'a status below',
    answer: { status: 199 },
    status: 'down',
    error: 'HTTP status 199, expected 200 to 399',
    details: { failed_assertion: 'status' },
  },
  {
    title: 'a status above',
    answer: { status: 503 },
    status: 'down',
    error: 'HTTP status 503, expected 200 to 399',
    details: { failed_assertion: 'status' },
  },
  {
    title: 'a range of one status',
    answer: { status: 200 },
    check: { expectedStatusMin: 204, expectedStatusMax: 204 },
    status: 'down',
    error: 'HTTP status 200, expected 204',
    details: { failed_assertion: 'status' },
  },
  {
    title: 'a status on a list',
    answer: { status: 401 },
    check: {
      expectedStatuses: [
        [200, 299],
        [401, 401],
      ],
    },
    status: 'up',
  },
  {
    title: 'a status between those on a list',
    answer: { status: 302 },
    check: {
      expectedStatuses: [
        [200, 299],
        [401, 401],
      ],
    },
    status: 'down',
    error: 'HTTP status 302, expected 200 to 299, 401',
    details: { failed_assertion: 'status' },
  },
  { title: 'a keyword that is there', findings: { hasKeyword: true }, status: 'up' },
  {
    title: 'a keyword that is not',
    findings: { hasKeyword: false },
    check: { keyword: 'welcome' },
    status: 'down',
    error: 'Keyword "welcome" not found in the answer',
    details: { failed_assertion: 'keyword' },
  },
  {
    title: 'a keyword beyond the limit',
    findings: { hasKeyword: false },
    answer: { isTruncated: true },
    check: { keyword: 'k'.repeat(200) },
    status: 'down',
    error: `Keyword "${'k'.repeat(97)}..." not found in the first 2 MiB of the answer`,
    details: { failed_assertion: 'keyword' },
  },
  {
    title: 'a keyword that is there and one that is not',
    findings: { hasKeyword: true, hasAbsentKeyword: false },
    status: 'up',
  },
  {
    title: 'a text that must not be there',
    findings: { hasAbsentKeyword: true },
    answer: { isTruncated: true },
    check: { options: { absent_keyword: 'Fatal error' } },
    status: 'down',
    error: 'Keyword "Fatal error" found in the answer',
    details: { failed_assertion: 'absent_keyword' },
  },
  ...headerCases,
  {
    title: 'the address that was expected',
    answer: { finalUrl: 'https://example.com/login' },
    check: { options: { final_url: 'https://EXAMPLE.com:443/login' } },
    status: 'up',
  },
  {
    title: 'another address than was expected',
    answer: { finalUrl: 'https://example.com/parked' },
    check: { options: { final_url: 'https://example.com/login' } },
    status: 'down',
    error: 'The answer came from https://example.com/parked, expected https://example.com/login',
    details: { failed_assertion: 'final_url' },
  },
  {
    title: 'the expected body',
    findings: { sha256: 'ab'.repeat(32) },
    check: { options: { body_sha256: 'AB'.repeat(32) } },
    status: 'up',
  },
  {
    title: 'another body',
    findings: { sha256: 'ac'.repeat(32) },
    check: { options: { body_sha256: 'ab'.repeat(32) } },
    status: 'down',
    error: `The body is another one: its SHA-256 is ${'ac'.repeat(32)}`,
    details: { failed_assertion: 'body' },
  },
  {
    title: 'a body that is too long to be compared',
    findings: { sha256: 'ac'.repeat(32) },
    answer: { isTruncated: true },
    check: { options: { body_sha256: 'ab'.repeat(32) } },
    status: 'down',
    error: 'The answer is longer than 2 MiB, too long to be compared with the expected body',
    details: { failed_assertion: 'body' },
  },
  {
    title: 'an answer without a certificate',
    check: { options: { certificate_sha256: 'ab'.repeat(32) } },
    status: 'down',
    error: 'The answer came without a certificate',
    details: { failed_assertion: 'certificate' },
  },
  { title: 'a path that is there', check: json({ json_path: 'status' }), status: 'up' },
  { title: 'a path to null', check: json({ json_path: 'none' }), status: 'up' },
  {
    title: 'a path that is not there',
    check: json({ json_path: 'data.x' }),
    status: 'down',
    error: 'JSON path data.x not found in the answer',
    details: jsonFailed,
  },
  { title: 'the expected value', check: json({ json_path: 'count', expected_value: 5 }), status: 'up' },
  { title: 'the expected null', check: json({ json_path: 'none', expected_value: null }), status: 'up' },
  {
    title: 'a value of another type',
    check: json({ json_path: 'count', expected_value: '5' }),
    status: 'down',
    error: 'JSON path count is 5, expected "5"',
    details: jsonFailed,
  },
  {
    title: 'a path that is not there beside an expected null',
    check: json({ json_path: 'x', expected_value: null }),
    status: 'down',
    error: 'JSON path x not found in the answer',
    details: jsonFailed,
  },
  {
    title: 'a long other value',
    answer: { body: Buffer.from(JSON.stringify({ a: 'x'.repeat(500) })) },
    check: json({ json_path: 'a', expected_value: 'y' }),
    status: 'down',
    error: `JSON path a is "${'x'.repeat(196)}..., expected "y"`,
    details: jsonFailed,
  },
  {
    title: 'an answer that offers too many ways to follow a path',
    answer: { body: Buffer.from(manyWays(9)) },
    check: json({ json_path: Array.from({ length: 32 }, () => 'a').join('.') }),
    status: 'down',
    error: `JSON path ${'a.'.repeat(31)}a was given up: the answer offers too many ways to follow it`,
    details: jsonFailed,
  },
  {
    title: 'an answer that is not JSON',
    answer: { body: Buffer.from('<html>') },
    check: json({ json_path: 'a' }),
    status: 'down',
    error: 'The answer is not JSON',
    details: jsonFailed,
  },
  {
    title: 'an answer that is too long for JSON',
    answer: { isTruncated: true },
    check: json({ json_path: 'a' }),
    status: 'down',
    error: 'The answer is longer than 2 MiB, too long to be read as JSON',
    details: jsonFailed,
  },
  {
    title: 'JSON after a byte order mark',
    answer: { body: Buffer.from('\uFEFF{"a":1}') },
    check: json({ json_path: 'a', expected_value: 1 }),
    status: 'up',
  },
  {
    title: 'JSON in another charset',
    answer: {
      headers: { 'content-type': 'application/json; charset=iso-8859-1' },
      body: Buffer.from('{"a":"é"}', 'latin1'),
    },
    check: json({ json_path: 'a', expected_value: 'é' }),
    status: 'up',
  },
  { title: 'an answer in time', latencyMs: 100, check: json({ max_latency_ms: 100 }), status: 'up' },
  {
    title: 'a slow answer',
    latencyMs: 101,
    check: json({ max_latency_ms: 100 }),
    status: 'degraded',
    error: 'The answer took longer than 100 ms',
    details: { failed_assertion: 'max_latency_ms' },
  },
  {
    title: 'a slow answer that is wrong too',
    latencyMs: 101,
    answer: { status: 500 },
    check: json({ max_latency_ms: 100 }),
    status: 'down',
    error: 'HTTP status 500, expected 200 to 399',
    details: { failed_assertion: 'status' },
  },
  {
    title: 'an answer after redirects',
    answer: {
      redirects: [
        { status: 301, url: 'https://a.example/' },
        { status: 302, url: 'https://b.example/' },
      ],
    },
    status: 'up',
    details: { final_url: 'https://b.example/', redirects: 2 },
  },
]

describe('the judgement of a web answer', () => {
  for (const { title, latencyMs = 50, findings = {}, status, error = null, details = {}, ...given } of cases)
    it(`${title} is ${status}`, () => {
      const check = { ...configurationOf(http, { url: 'https://example.com/' }), options: {}, ...given.check }
      const full = { ...answer, ...given.answer }
      const outcome: HttpOutcome = { ok: true, latencyMs, phases: noPhases, answer: full }
      const verdict = judgeWeb({ outcome, findings: { ...noFindings, ...findings }, answers: noAnswers }, check)
      assert.deepEqual(verdict, { status, statusCode: full.status, latencyMs, error, phases: noPhases, details })
    })

  it('a failed exchange is down, with the status if there was one', () => {
    const failure = { code: 'answer_cut_short', phase: 'transfer', message: 'The answer was cut short' } as const
    const outcome: HttpOutcome = { ok: false, latencyMs: 80, phases: noPhases, failure, redirects: [], status: 200 }
    const check = { ...configurationOf(http, { url: 'https://example.com/' }), options: {} }
    assert.deepEqual(judgeWeb({ outcome, findings: noFindings, answers: noAnswers }, check), {
      status: 'down',
      statusCode: 200,
      latencyMs: null,
      error: 'The answer was cut short',
      phases: noPhases,
      details: {},
    })
  })
})

describe('the certificate of an answer', () => {
  const dates = { notBefore: '2026-05-01T00:00:00.000Z', notAfter: '2026-07-30T00:00:00.000Z' }
  const leaf = { subject: 'www.example.com', issuer: 'CA 1', names: [], serial: '01', fingerprint256: 'AA', ...dates }
  const tls = { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', certificate: leaf, isResumed: false }

  it('is told with the host that showed it, whatever the answer', () => {
    const certificate = { host: 'www.example.com', issuer: 'CA 1', ...dates }
    for (const status of [200, 500])
      assert.deepEqual(judged({ status, tls, finalUrl: 'https://www.example.com:8443/x' }), { certificate })
  })

  it('is left out where there was none', () => {
    assert.equal(judged({}), undefined)
    assert.equal(judged({ tls: { ...tls, certificate: null } }), undefined)
  })
})

describe('the fingerprint of a certificate', () => {
  const dates = { notBefore: '2026-05-01T00:00:00.000Z', notAfter: '2026-07-30T00:00:00.000Z' }
  const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':')
  const certificate = { subject: 'a', issuer: 'CA 1', names: [], serial: '01', fingerprint256: fingerprint, ...dates }
  const tls = { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', certificate, isResumed: false }
  const expectedOf = (expected: string) => {
    const outcome: HttpOutcome = { ok: true, latencyMs: 5, phases: noPhases, answer: { ...answer, tls } }
    const options = { certificate_sha256: expected }
    const check = { ...configurationOf(http, { url: 'https://example.com/' }), options }
    return judgeWeb({ outcome, findings: noFindings, answers: noAnswers }, check).error
  }

  it('is the same however it is written', () => {
    assert.equal(expectedOf(fingerprint), null)
    assert.equal(expectedOf('ab'.repeat(32)), null)
  })

  it('is told where it is another one', () => {
    const error = `The certificate is another one: its SHA-256 fingerprint is ${'ab'.repeat(32)}`
    assert.equal(expectedOf('ac'.repeat(32)), error)
  })
})

function judged(changes: Partial<HttpAnswer>): unknown {
  const outcome: HttpOutcome = { ok: true, latencyMs: 5, phases: noPhases, answer: { ...answer, ...changes } }
  const check = { ...configurationOf(http, { url: 'https://example.com/' }), options: {} }
  return judgeWeb({ outcome, findings: noFindings, answers: noAnswers }, check).expiry
}

describe('the verdict on any answer', () => {
  const text = fc.oneof(fc.json(), fc.string({ unit: anyCharacter }))
  const body = fc.oneof(
    text.map((each) => Buffer.from(each)),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  )

  it('is reached without throwing, in a text of bounded length', () => {
    fc.assert(
      fc.property(body, fc.string(), fc.option(fc.jsonValue(), { nil: undefined }), (bytes, path, expected) => {
        const options: WebOptions = { json_path: path, ...(expected === undefined ? {} : { expected_value: expected }) }
        const outcome: HttpOutcome = { ok: true, answer: { ...answer, body: bytes }, latencyMs: 1, phases: noPhases }
        const check = { ...configurationOf(http, { url: 'https://example.com/' }), options }
        const { status, error } = judgeWeb({ outcome, findings: noFindings, answers: noAnswers }, check)
        assert.equal(error === null, status === 'up')
        assert.ok((error ?? '').length < 600, String(error))
      }),
      { numRuns: 1000 },
    )
  })
})

function manyWays(depth: number): string {
  if (depth === 0) return '{}'
  const inner = manyWays(depth - 1)
  return `{"a":${inner},"a.a":${inner},"a.a.a":${inner}}`
}
