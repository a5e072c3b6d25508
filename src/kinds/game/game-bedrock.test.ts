import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bedrockFields, pong } from '../../../test/support/game-server.ts'
import { bedrockRequest, isBedrockReply, readBedrockReply } from './game-bedrock.ts'
import { GameReplyError } from './game-status.ts'

const ping = Buffer.from(bedrockRequest(new Uint8Array(16).fill(7)))

describe('a ping of the bedrock edition', () => {
  it('has the bytes of the public description', () => {
    const nonce = '0707070707070707'
    assert.equal(ping.toString('hex'), `01${nonce}00ffff00fefefefefdfdfdfd12345678${nonce}`)
  })

  it('is answered by what holds its nonce', () => {
    const reply = pong(ping, bedrockFields)
    assert.equal(isBedrockReply(reply, ping), true)
    assert.equal(isBedrockReply(pong(Buffer.from(bedrockRequest(new Uint8Array(16))), bedrockFields), ping), false)
    assert.equal(isBedrockReply(reply.subarray(0, 34), ping), false)
    assert.equal(isBedrockReply(ping, ping), false)
    const unmagical = Buffer.from(reply)
    unmagical[17] = 1
    assert.equal(isBedrockReply(unmagical, ping), false)
  })

  const nothing = { version: null, protocol: null, playersOnline: null, playersMax: null, message: null }
  const cases = [
    [bedrockFields, { version: '1.20.80', protocol: 671, playersOnline: 3, playersMax: 20, message: 'A fine server' }],
    ['MCEE;x;y;z;a;', { ...nothing, version: 'z', message: 'x' }],
    ['', 'answered, but not as a game server does'],
    ['hello', 'answered, but not as a game server does'],
  ] as const
  for (const [fields, expected] of cases)
    it(`"${fields}" gives ${JSON.stringify(expected)}`, () => {
      if (typeof expected === 'string')
        assert.throws(() => readBedrockReply(pong(ping, fields)), new GameReplyError(expected))
      else assert.deepEqual(readBedrockReply(pong(ping, fields)), expected)
    })

  it('is not answered by what is cut off', () => {
    const reply = pong(ping, bedrockFields)
    assert.throws(() => readBedrockReply(reply.subarray(0, -1)), new GameReplyError('sent a status that is cut off'))
  })

  it('never makes the parser throw anything but its own error', () => {
    const fields = fc.array(fc.oneof(fc.string(), fc.integer().map(String))).map((list) => list.join(';'))
    fc.assert(
      fc.property(fields, fc.nat(), fc.uint8Array({ maxLength: 80 }), (text, cut, noise) => {
        const reply = pong(ping, text)
        for (const bytes of [reply, reply.subarray(0, cut % reply.length), noise]) {
          if (!isBedrockReply(bytes, ping)) continue
          try {
            readBedrockReply(bytes)
          } catch (error) {
            assert.ok(error instanceof GameReplyError)
          }
        }
      }),
    )
  })
})
