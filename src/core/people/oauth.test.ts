import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { randomBytes } from 'node:crypto'
import {
  answerUri,
  createTypedCode,
  readTypedCode,
  shownCode,
  isDocumentId,
  isRedirectUri,
  isRegisteredRedirect,
  readScopes,
  shownName,
} from './oauth.ts'

describe('an address to which people are sent back', () => {
  const cases: [uri: string, isTaken: boolean][] = [
    ['https://app.example/callback', true],
    ['https://app.example/callback?from=perigee', true],
    ['http://127.0.0.1:8123/callback', true],
    ['http://[::1]/callback', true],
    ['http://localhost:1/', true],
    ['http://app.example/callback', false],
    ['http://127.0.0.1.example/callback', false],
    ['http://localhost.example/', false],
    ['https://app.example/callback#part', false],
    ['https://app.example/callback#', false],
    ['https://user@app.example/callback', false],
    ['https://:word@app.example/callback', false],
    ['cursor://callback', false],
    ['javascript:alert(1)', false],
    ['data:text/html,hello', false],
    ['/callback', false],
    ['', false],
    [`https://app.example/${'x'.repeat(980)}`, true],
    [`https://app.example/${'x'.repeat(981)}`, false],
  ]
  for (const [uri, isTaken] of cases)
    it(`${isTaken ? 'may' : 'may not'} be ${uri.slice(0, 60)} (${uri.length})`, () =>
      assert.equal(isRedirectUri(uri), isTaken))
})

describe('an address that a client names', () => {
  const cases: [registered: string, sent: string, isTaken: boolean][] = [
    ['https://app.example/callback', 'https://app.example/callback', true],
    ['https://app.example/callback', 'https://app.example/callback/', false],
    ['https://app.example/callback', 'https://app.example/callback?x=1', false],
    ['https://app.example/callback', 'https://app.example:444/callback', false],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:55123/callback', true],
    ['http://127.0.0.1:1234/callback', 'http://127.0.0.1:55123/callback', true],
    ['http://localhost/callback', 'http://localhost:3000/callback', true],
    ['http://localhost/callback', 'http://127.0.0.1:3000/callback', false],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:55123/other', false],
    ['http://127.0.0.1/callback', 'https://127.0.0.1/callback', false],
  ]
  for (const [registered, sent, isTaken] of cases)
    it(`${isTaken ? 'is' : 'is not'} its own: ${sent} where ${registered} is registered`, () =>
      assert.equal(isRegisteredRedirect({ redirectUris: ['https://other.example/', registered] }, sent), isTaken))
})

describe('the id of a client that is a document', () => {
  const cases: [id: string, isTaken: boolean][] = [
    ['https://app.example/client.json', true],
    ['https://app.example/client.json?v=2', true],
    ['https://app.example/', false],
    ['https://app.example', false],
    ['http://app.example/client.json', false],
    ['https://app.example/a/../client.json', false],
    ['https://APP.example/client.json', false],
    ['https://user@app.example/client.json', false],
    ['https://app.example/client.json#x', false],
    ['3f1f7a52-97f3-4f38-9a52-d6b40b4d2b11', false],
  ]
  for (const [id, isTaken] of cases)
    it(`${isTaken ? 'is' : 'is not'} ${id}`, () => assert.equal(isDocumentId(id), isTaken))
})

describe('scopes', () => {
  const cases: [text: string | undefined, scopes: readonly string[] | null][] = [
    [undefined, ['read', 'write']],
    ['', ['read', 'write']],
    ['offline_access', ['read', 'write']],
    ['read', ['read']],
    ['read offline_access', ['read']],
    ['write', ['read', 'write']],
    ['write read', ['read', 'write']],
    ['read admin', null],
    ['Read', null],
  ]
  for (const [text, scopes] of cases)
    it(`are ${JSON.stringify(scopes)} for ${JSON.stringify(text)}`, () => assert.deepEqual(readScopes(text), scopes))
})

describe('what people are shown and sent', () => {
  it('is a name in one line', () => {
    assert.equal(shownName('  Claude\nCode\u202e '), 'Claude Code')
    assert.equal(shownName('x'.repeat(150)), 'x'.repeat(100))
    assert.equal(shownName(`${'x'.repeat(99)}😀`).length, 100)
    assert.equal(shownName(' \n'), 'A program without a name')
  })

  it('keeps what the address has', () =>
    assert.equal(
      answerUri('https://app.example/back?a=1', { code: 'c', state: 'a b&c', error: undefined }),
      'https://app.example/back?a=1&code=c&state=a+b%26c',
    ))
})

describe('a code that people type', () => {
  it('is of eight letters, all as likely as the others', () => {
    const drawn = Array.from({ length: 500 }, () => createTypedCode(randomBytes))
    for (const code of drawn) assert.equal(readTypedCode(shownCode(code)), code)
    assert.equal(new Set(drawn.join('')).size, 20)
    const highest = [255, 240, 239, 0, 19, 20, 1, 2, 3, 4]
    assert.equal(
      createTypedCode((count) => Uint8Array.from(highest.splice(0, count))),
      'ZBZBCDFG',
    )
  })

  const cases: [typed: string, code: string | null][] = [
    ['BCDF-GHJK', 'BCDFGHJK'],
    [' bcdf ghjk ', 'BCDFGHJK'],
    ['BCDF-GHJ', null],
    ['BCDF-GHJKL', null],
    ['BCDF-GHJA', null],
    ['', null],
  ]
  for (const [typed, code] of cases)
    it(`is ${code} where "${typed}" is typed`, () => assert.equal(readTypedCode(typed), code))
})
