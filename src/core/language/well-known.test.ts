import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wellKnown } from './well-known.ts'

describe('a well-known address', () => {
  const cases = [
    ['https://perigee.test', 'https://perigee.test/.well-known/oauth-protected-resource'],
    ['https://perigee.test/', 'https://perigee.test/.well-known/oauth-protected-resource'],
    ['https://perigee.test/api/v1', 'https://perigee.test/.well-known/oauth-protected-resource/api/v1'],
    ['http://[::1]:3000/mcp', 'http://[::1]:3000/.well-known/oauth-protected-resource/mcp'],
  ] as const
  for (const [url, expected] of cases)
    it(`of ${url} is ${expected}`, () => assert.equal(wellKnown(url, 'oauth-protected-resource'), expected))
})
