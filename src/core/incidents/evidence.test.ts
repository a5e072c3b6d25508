import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { failureKey, fitEvidence, maxEvidenceBytes, maxPictureLength, readEvidence } from './evidence.ts'
import { testEvidence as seen } from '../../../test/support/evidence.ts'

const answer = { url: 'https://shop.example/', status_line: 'HTTP/1.1 500 Oops', headers: [], body_note: null }

describe('evidence', () => {
  it('stays as it is within 32 KB', () => {
    const whole = seen({ answer: { ...answer, body: 'x'.repeat(16_384) } })
    assert.deepEqual(fitEvidence(whole), whole)
  })

  it('has room for a picture beside all that', () => {
    const lists = { console_errors: [], failed_requests: [], steps_ms: [], picture_note: null }
    const body = 'x'.repeat(16_384)
    const whole = seen({ answer: { ...answer, body }, page: { ...lists, picture: 'A'.repeat(maxPictureLength) } })
    assert.deepEqual(fitEvidence(whole), whole)
    assert.deepEqual(readEvidence(whole), whole)
    const large = { ...whole, page: { ...lists, picture: 'A'.repeat(maxPictureLength + 1) } }
    assert.equal(readEvidence(large), null)
  })

  const large = [
    ['a body of quotes', seen({ answer: { ...answer, body: '"'.repeat(16_384) } })],
    ['a body of replaced bytes', seen({ answer: { ...answer, body: '\ufffd'.repeat(16_384) } })],
    ['details', seen({ details: { long: 'x'.repeat(40_000) } })],
    ['headers', seen({ answer: { ...answer, headers: [{ name: 'x', value: 'y'.repeat(40_000) }], body: null } })],
  ] as const
  for (const [what, evidence] of large)
    it(`is cut to 32 KB where ${what} would make it larger`, () =>
      assert.ok(Buffer.byteLength(JSON.stringify(fitEvidence(evidence))) <= maxEvidenceBytes))

  it('is read with members of another release, and is none without its own', () => {
    assert.deepEqual(readEvidence({ ...seen(), later: 1 }), seen())
    for (const none of [null, 'text', {}, { ...seen(), phases: null }]) assert.equal(readEvidence(none), null)
  })
})

describe('what tells failures apart', () => {
  it('is the text of an error', () => {
    assert.equal(of('Timed out'), of('Timed out (own network not verified)'))
    assert.notEqual(of('Timed out'), of('Connection refused'))
  })

  it('is the assertion and the status, not what was found', () => {
    assert.equal(of('JSON path a is 1', 'json_path', 200), of('JSON path a is 2', 'json_path', 200))
    assert.notEqual(of('HTTP status 500', 'status', 500), of('HTTP status 502', 'status', 502))
  })
})

function of(error: string, assertion?: string, statusCode: number | null = null): string {
  return failureKey({ error, statusCode, details: assertion === undefined ? {} : { failed_assertion: assertion } })
}
