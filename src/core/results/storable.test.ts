import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noPhases, type Result, type Verdict } from './result.ts'
import { isStorable } from './storable.ts'

const usual: Verdict = { status: 'up', statusCode: 200, latencyMs: 5, error: null, phases: noPhases, details: {} }
const certificate = { host: 'a', issuer: 'b', notBefore: '', notAfter: '' }
const nested = (levels: number): Record<string, unknown> => (levels === 0 ? {} : { a: nested(levels - 1) })

function resultOf(verdict: Partial<Verdict> | null, version = 1): Pick<Result, 'version' | 'verdict'> {
  return { version, verdict: verdict === null ? null : { ...usual, ...verdict } }
}

describe('a result for the table', () => {
  const taken: [string, ReturnType<typeof resultOf>][] = [
    ['of the usual kind', resultOf({})],
    ['without a verdict', resultOf(null)],
    ['of the largest version', resultOf({}, 2 ** 31 - 1)],
    ['of the largest numbers', resultOf({ statusCode: 32_767, latencyMs: 2 ** 31 - 1 })],
    ['without numbers', resultOf({ statusCode: null, latencyMs: null })],
    ['with texts of any language', resultOf({ error: '日本 😀', details: { ä: ['\n', 1, null, true, { b: '' }] } })],
    ['with details nested as deeply as may be', resultOf({ details: nested(31) })],
    ['with ends', resultOf({ expiry: { certificate, domain: { name: 'a', expiresAt: null } } })],
  ]
  for (const [name, result] of taken) it(`is taken ${name}`, () => assert.equal(isStorable(result), true))

  const refused: [string, ReturnType<typeof resultOf>][] = [
    ['a larger version', resultOf({}, 2 ** 31)],
    ['a larger version and no verdict', resultOf(null, 2 ** 31)],
    ['a larger status code', resultOf({ statusCode: 32_768 })],
    ['a larger time', resultOf({ latencyMs: 2 ** 31 })],
    ...Object.keys(noPhases).map((phase): [string, ReturnType<typeof resultOf>] => [
      `a larger ${phase}`,
      resultOf({ phases: { ...noPhases, [phase]: 2 ** 31 } }),
    ]),
    ['a zero in its error', resultOf({ error: 'a\0' })],
    ['half of a character in its error', resultOf({ error: '\ud800' })],
    ['a zero in its details', resultOf({ details: { a: [{ b: '\0' }] } })],
    ['half of a character in a name', resultOf({ details: { a: { '\udc00': 1 } } })],
    ['details nested more deeply', resultOf({ details: nested(32) })],
    ['a zero in the host of a certificate', resultOf({ expiry: { certificate: { ...certificate, host: '\0' } } })],
    ['a zero in the issuer of a certificate', resultOf({ expiry: { certificate: { ...certificate, issuer: '\0' } } })],
    ['a zero in the end of a certificate', resultOf({ expiry: { certificate: { ...certificate, notAfter: '\0' } } })],
    [
      'half of a character in its begin',
      resultOf({ expiry: { certificate: { ...certificate, notBefore: '\ud800' } } }),
    ],
    ['a zero in the end of a domain', resultOf({ expiry: { domain: { name: 'a', expiresAt: '\0' } } })],
    ['a zero in the name of a domain', resultOf({ expiry: { domain: { name: '\0', expiresAt: null } } })],
  ]
  for (const [name, result] of refused) it(`is refused with ${name}`, () => assert.equal(isStorable(result), false))
})
