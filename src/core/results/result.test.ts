import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noPhases, resultSchema, type Verdict, withCleanTexts } from './result.ts'

const verdict: Verdict = { status: 'up', statusCode: null, latencyMs: 1, error: null, phases: noPhases, details: {} }

describe('the texts of a verdict', () => {
  it('are cut, and lose what PostgreSQL cannot store', () => {
    const long = 'x'.repeat(600)
    const cleaned = withCleanTexts({
      ...verdict,
      error: `a\0b\ud800${long}`,
      details: { list: [`\0${long}`], deep: { a: '\0' } },
    })
    assert.equal(cleaned.error?.length, 499)
    assert.equal(cleaned.error?.startsWith('ab\ufffdxxx'), true)
    assert.deepEqual(cleaned.details, { list: [`${'x'.repeat(498)}…`], deep: { a: '' } })
  })

  it('stay what they are when they are short enough, as do numbers and nothing', () => {
    const whole = { ...verdict, error: 'x'.repeat(500), details: { count: 5, none: null, wrong: false } }
    assert.deepEqual(withCleanTexts(whole), whole)
  })

  it('are cleaned in what is known of a certificate too', () => {
    const certificate = { host: 'a.example', issuer: 'CA\0 1', notBefore: '', notAfter: '' }
    const domain = { name: 'a.example', expiresAt: null }
    assert.deepEqual(withCleanTexts({ ...verdict, expiry: { certificate, domain } }).expiry, {
      certificate: { ...certificate, issuer: 'CA 1' },
      domain,
    })
    assert.deepEqual(withCleanTexts({ ...verdict, expiry: { domain } }).expiry, { domain })
    assert.equal('expiry' in withCleanTexts(verdict), false)
  })
})

it('a result stands for one check or more', () => {
  const repeats = resultSchema.shape.repeats
  assert.deepEqual([repeats.safeParse(1).success, repeats.safeParse(0).success], [true, false])
})
