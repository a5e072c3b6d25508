import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clearSight, keepLocated, keepPiece, newSight, type SeenAnswer } from './sight.ts'

function answer(): SeenAnswer {
  return {
    url: 'http://a.example/',
    statusLine: 'HTTP/1.1 500',
    headers: {},
    pieces: [],
    hasBody: true,
    bytes: 0,
    isCut: false,
  }
}

const maxBytes = 16 * 1024

describe('what is kept of a body', () => {
  const told: [what: string, lengths: number[], kept: number[], isCut: boolean][] = [
    ['nothing of none', [], [], false],
    ['all of what is short', [3, 4], [3, 4], false],
    ['no empty pieces', [3, 0, 4], [3, 4], false],
    ['all of 16 KB', [maxBytes - 1, 1], [maxBytes - 1, 1], false],
    ['16 KB of what is longer by a byte', [maxBytes, 1], [maxBytes], true],
    ['the beginning of a piece', [maxBytes - 2, 5, 5], [maxBytes - 2, 2], true],
  ]
  for (const [what, lengths, kept, isCut] of told)
    it(`is ${what}`, () => {
      const seen = answer()
      for (const length of lengths) keepPiece(seen, Buffer.alloc(length, 'x'))
      assert.deepEqual(
        seen.pieces.map(({ length }) => length),
        kept,
      )
      assert.deepEqual([seen.bytes, seen.isCut], [kept.reduce((sum, length) => sum + length, 0), isCut])
    })

  it('is a copy from its beginning, since the piece is used again', () => {
    const seen = answer()
    const piece = Buffer.from('first')
    keepPiece(seen, piece)
    piece.fill('x')
    assert.equal(Buffer.concat(seen.pieces).toString(), 'first')
  })
})

describe('a sight', () => {
  it('of a new check has seen nothing, and takes any status for a failure', () => {
    const { resolved, dialled, tls, answer: seen, failure, mayFail, keepsBodies } = newSight(true)
    assert.deepEqual([resolved, dialled, tls, seen, failure, keepsBodies], [[], [], null, null, null, true])
    assert.equal(mayFail(200), true)
  })

  it('forgets all that it saw before a check is made again, but not what it is for', () => {
    const sight = newSight(false, (status) => status > 399)
    Object.assign(sight, { resolved: ['192.0.2.1'], dialled: ['192.0.2.1'], answer: answer() })
    clearSight(sight)
    assert.deepEqual([sight.resolved, sight.dialled, sight.answer, sight.keepsBodies], [[], [], null, false])
    assert.deepEqual([sight.mayFail(399), sight.mayFail(400)], [false, true])
  })

  it('has the addresses of the last look-up, and nothing of the way before', () => {
    const sight = newSight(true)
    sight.dialled.push('192.0.2.1')
    sight.failure = { phase: 'connect', code: 'connection_refused', message: 'Refused' }
    keepLocated(sight, ['192.0.2.2'])
    assert.deepEqual([sight.resolved, sight.dialled, sight.failure], [['192.0.2.2'], [], null])
  })
})
