import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { secretBytes, totpCode } from './totp.ts'

describe('the code of an authenticator', () => {
  // RFC 6238, appendix B, of which six digits are shown.
  const secret = Buffer.from('12345678901234567890')
  const vectors: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ]
  for (const [seconds, code] of vectors)
    it(`is ${code} at ${seconds} s`, () => assert.equal(totpCode(secret, seconds * 1000), code))
})

describe('the secret of an authenticator', () => {
  const secrets: [text: string, bytes: string | null][] = [
    ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', '12345678901234567890'],
    ['gezd gnbv gy3t qojq-gezd gnbv gy3t qojq', '12345678901234567890'],
    ['MZXW6YQ=', 'foob'],
    ['MZXW6===', 'foo'],
    ['A', null],
    ['', null],
    ['GEZDGNBVGY3TQOJ1', null],
  ]
  for (const [text, bytes] of secrets)
    it(`is ${bytes === null ? 'none' : 'read'} in "${text}"`, () =>
      assert.equal(secretBytes(text)?.toString() ?? null, bytes))
})
