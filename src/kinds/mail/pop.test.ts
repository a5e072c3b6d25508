import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { replay, sentBy } from '../../../test/support/replay.ts'
import { popProtocol } from './pop.ts'

const { tls, starttls } = popProtocol.steps

describe('the dialogue of pop', () => {
  it('asks for capabilities, upgrades and asks again', () => {
    assert.deepEqual(sentBy(starttls), ['CAPA', 'STLS', 'CAPA'])
    assert.deepEqual(sentBy(tls), ['CAPA'])
  })

  it('reads what servers say', () => {
    const offer = ['+OK', 'USER', 'STLS', '.']
    const cases: [readonly (string | null)[], string][] = [
      [['+OK ready', ...offer, '+OK begin', null, '+OK list', 'USER', '.'], 'done'],
      [['+OK ready', '-ERR what?', '+OK begin', null, '-ERR what?'], 'done'],
      [['+OK ready', '+OK', 'USER', '.'], 'The server does not offer STARTTLS (STLS)'],
      [['+OK ready', '+OK', '.'], 'The server does not offer STARTTLS (STLS)'],
      [['+OK ready', ...offer, '-ERR no'], 'The server refuses STARTTLS (STLS): "-ERR no"'],
      [['+OK ready', '-ERR', '-ERR no'], 'The server refuses STARTTLS (STLS): "-ERR no"'],
      [['-ERR busy'], 'The server accepts no sessions now: it greets with "-ERR busy"'],
      [['+OKAY'], 'Not an answer of a POP3 server: "+OKAY"'],
      [['SSH-2.0-x'], 'Not an answer of a POP3 server: "SSH-2.0-x"'],
      [['+OK', '220 what'], 'Not an answer of a POP3 server: "220 what"'],
      [['+OK', ...offer, '220 what'], 'Not an answer of a POP3 server: "220 what"'],
      [['+OK', '+OK', 'STLS'], 'waiting for the answer to CAPA'],
    ]
    for (const [lines, found] of cases) assert.equal(replay(starttls, lines), found, lines.join('|'))
  })

  it('asks for nothing but an answer where TLS was there from the start', () => {
    assert.equal(replay(tls, ['+OK', '+OK', '.']), 'done')
    assert.equal(replay(tls, ['+OK', '-ERR']), 'done')
  })
})
