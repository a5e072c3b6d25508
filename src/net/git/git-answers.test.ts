import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HttpAnswer } from '#net/http/http-request.ts'
import { answerProblem, below, maxListed, movedText, movedTo, refusal, withSuffix } from './git-answers.ts'

const from = new URL('https://git.example/shop/web/')
const type = 'application/x-git-upload-pack-advertisement'

function answer(changes: Partial<HttpAnswer> = {}): HttpAnswer {
  return {
    status: 200,
    version: '1.1',
    headers: { 'content-type': type },
    body: Buffer.from('0000'),
    isTruncated: false,
    finalUrl: from.href,
    redirects: [],
    address: '192.0.2.1',
    tls: null,
    ...changes,
  }
}

const typed = (name: string): Partial<HttpAnswer> => ({ headers: { 'content-type': name } })

describe('an answer of a git server', () => {
  const cases: [what: string, changes: Partial<HttpAnswer>, code: string | null][] = [
    ['is one', {}, null],
    ['has a type with parameters', typed(`${type.toUpperCase()} ; charset=utf-8`), null],
    ['is of another status', { status: 201 }, 'git_status'],
    ['is of another service', typed('application/x-git-receive-pack-advertisement'), 'not_git'],
    ['is of another kind', typed('application/x-git-upload-pack-result'), 'not_git'],
    ['has no type', { headers: {} }, 'not_git'],
    ['is too long', { isTruncated: true }, 'git_too_long'],
    ['has as many entries as are read', { body: Buffer.from('0004'.repeat(maxListed)) }, null],
    ['has more', { body: Buffer.from('0004'.repeat(maxListed + 1)) }, 'git_too_long'],
  ]
  for (const [what, changes, code] of cases)
    it(`${what}: ${code ?? 'fine'}`, () =>
      assert.equal(answerProblem(answer(changes), 'advertisement')?.failure.code ?? null, code))

  const list = '/info/refs?service=git-upload-pack'
  const moves: [status: number, location: string | undefined, address: string | null | undefined][] = [
    [299, `/a${list}`, undefined],
    [300, `/a${list}`, 'https://git.example/a'],
    [399, `/a${list}`, 'https://git.example/a'],
    [400, `/a${list}`, undefined],
    [302, undefined, undefined],
    [302, `http://u:p@b.example:8080/c.git${list}`, 'http://b.example:8080/c.git'],
    [302, '../../a.git/info/refs', 'https://git.example/shop/a.git'],
    [302, '/users/sign_in', null],
    [302, 'https://[', null],
  ]
  for (const [status, location, address] of moves)
    it(`of ${status} with ${location ?? 'no address'} leads to ${address ?? 'no repository'}`, () => {
      const moved = movedTo(answer({ status, headers: location === undefined ? {} : { location } }), from)
      assert.equal(moved === null ? undefined : (moved.address?.href ?? null), address)
    })

  it('is told in one line of 300 letters at most', () => {
    const text = movedText({ status: 302, location: `a\n${'b'.repeat(400)}`, address: null })
    assert.ok(text.endsWith(`(HTTP status 302) leads to "a?${'b'.repeat(298)}"`), text)
    assert.equal(refusal('no\u0000access').failure.message, 'The git server refused: no?access')
  })

  it('is asked for below the address of the repository', () => {
    assert.equal(below(from, list).href, `https://git.example/shop/web${list}`)
    assert.equal(withSuffix(from).href, 'https://git.example/shop/web.git')
  })
})
