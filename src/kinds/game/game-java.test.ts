import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { goodStatus, statusPacket } from '../../../test/support/game-server.ts'
import { javaStatusRequest, readJavaReply } from './game-java.ts'
import { GameReplyError, type GameStatus } from './game-status.ts'

/** The status, "incomplete", or what is wrong. */
function outcomeOf(bytes: Uint8Array): GameStatus | string {
  try {
    return readJavaReply(bytes) ?? 'incomplete'
  } catch (error) {
    if (error instanceof GameReplyError) return error.message
    throw error
  }
}

const strange = 'answered, but not as a game server does'

describe('the question for a status', () => {
  it('has the bytes of the public description', () => {
    const expected = [
      [0x10, 0x00, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x07],
      [...Buffer.from('a.b.exa'), 0x63, 0xdd, 0x01],
      [0x01, 0x00],
    ]
    const length = 1 + 5 + 1 + 7 + 2 + 1
    const bytes = [...javaStatusRequest('a.b.exa', 25_565)]
    assert.deepEqual(bytes, [length, ...expected.flat().slice(1)])
  })
})

describe('a status', () => {
  it('is read', () => {
    assert.deepEqual(outcomeOf(statusPacket(JSON.stringify(goodStatus))), {
      version: '1.20.4',
      protocol: 765,
      playersOnline: 3,
      playersMax: 20,
      message: 'A fine server',
    })
  })

  const nothing = { version: null, protocol: null, playersOnline: null, playersMax: null, message: null }
  const cases = [
    ['{}', nothing],
    ['{"version":"1.8","players":[1],"description":7}', { ...nothing, message: '' }],
    ['{"version":{"name":5,"protocol":"x"},"players":{"online":1.5,"max":1e300}}', nothing],
    ['{"version":{"name":"§aSpiffy\\u0000\\n  1.8"}}', { ...nothing, version: 'Spiffy 1.8' }],
    ['{"description":"plain"}', { ...nothing, message: 'plain' }],
    ['{"description":["a",["b",{"text":"c","extra":["d"]}]]}', { ...nothing, message: 'abcd' }],
    [`{"description":"${'x'.repeat(5000)}"}`, { ...nothing, message: 'x'.repeat(200) }],
    ['{"__proto__":{"version":{"name":"9"}}}', nothing],
    ['[]', 'sent a status that is no JSON object'],
    ['null', 'sent a status that is no JSON object'],
    ['"x"', 'sent a status that is no JSON object'],
    ['{', 'sent a status that is not JSON'],
    ['', strange],
    [' ', 'sent a status that is not JSON'],
  ] as const
  for (const [json, expected] of cases)
    it(`${json.slice(0, 60)} gives ${JSON.stringify(expected).slice(0, 60)}`, () =>
      assert.deepEqual(outcomeOf(statusPacket(json)), expected))

  it('of endless depth is read without end', () => {
    const deep = `{"description":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    assert.equal(typeof outcomeOf(statusPacket(deep)), 'object')
    const texts = `{"description":${'{"extra":['.repeat(10_000)}"x"${']}'.repeat(10_000)}}`
    assert.equal(typeof outcomeOf(statusPacket(texts)), 'object')
  })

  const strangers = [
    ['an SSH server', Buffer.from('SSH-2.0-OpenSSH_9.2\r\n')],
    ['a web server', Buffer.from('HTTP/1.1 400 Bad Request\r\n')],
    ['a text longer than its packet', Buffer.from([5, 0, 100, 0x7b, 0x7d])],
    ['a packet of no bytes', Buffer.from([0])],
    ['a packet of more than a MiB', Buffer.from([0x81, 0x80, 0x40])],
    ['a length without end', Buffer.alloc(5, 0xff)],
  ] as const
  for (const [name, bytes] of strangers) it(`is not ${name}`, () => assert.equal(outcomeOf(bytes), strange))

  it('is incomplete until its last byte has come, and whatever follows does not matter', () => {
    const whole = statusPacket(JSON.stringify(goodStatus))
    for (let length = 0; length < whole.length; length += 1)
      assert.equal(outcomeOf(whole.subarray(0, length)), 'incomplete')
    assert.deepEqual(outcomeOf(Buffer.concat([whole, Buffer.from([1, 2])])), outcomeOf(whole))
  })

  it('never makes the parser throw anything of its own, and stays what it was when more comes', () => {
    const packet = fc.json().map((json) => statusPacket(json))
    const bytes = fc.oneof(packet, fc.uint8Array({ maxLength: 200 }))
    fc.assert(
      fc.property(bytes, fc.uint8Array({ maxLength: 20 }), fc.nat(), (beginning, rest, cut) => {
        const whole = Buffer.concat([beginning, rest])
        const part = outcomeOf(whole.subarray(0, cut % (whole.length + 1)))
        if (part !== 'incomplete') assert.deepEqual(outcomeOf(whole), part)
      }),
    )
  })
})
