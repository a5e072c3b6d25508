import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { replay, sentBy } from '../../../test/support/replay.ts'
import { ftpsProtocol } from './ftps.ts'

const { tls, starttls } = ftpsProtocol.steps

describe('the dialogue of ftps', () => {
  it('upgrades and asks for what comes first within TLS', () => {
    assert.deepEqual(sentBy(starttls), ['AUTH TLS', 'PBSZ 0'])
    assert.deepEqual(sentBy(tls), ['PBSZ 0'])
  })

  it('reads what servers say', () => {
    const cases: [readonly (string | null)[], string][] = [
      [['220 ready', '234 go on', null, '200 PBSZ=0'], 'done'],
      [['220-Welcome', 'anything', '  220 here', '220 ready', '234 go', null, '200'], 'done'],
      [['220 ready', '234 go', null, '530 Log in first'], 'done'],
      [['220 ready', '234 go', null, '421 Bye'], 'The server ends the conversation: "421 Bye"'],
      [['220 ready', '530 Log in'], 'The server does not offer STARTTLS (AUTH TLS): "530 Log in"'],
      [['220 ready', '500 What?'], 'The server does not offer STARTTLS (AUTH TLS): "500 What?"'],
      [['220 ready', '431 Not now'], 'The server refuses STARTTLS (AUTH TLS): "431 Not now"'],
      [['220 ready', '334 More'], 'The server refuses STARTTLS (AUTH TLS): "334 More"'],
      [['421 Too many'], 'The server accepts no sessions now: it greets with "421 Too many"'],
      [['120 In 5 minutes'], 'The server accepts no sessions now: it greets with "120 In 5 minutes"'],
      [['+OK'], 'Not an answer of an FTP server: "+OK"'],
      [['220-Welcome', '221 other', '220-'], 'waiting for the greeting'],
    ]
    for (const [lines, found] of cases) assert.equal(replay(starttls, lines), found, lines.join('|'))
  })

  it('asks for nothing but an answer where TLS was there from the start', () => {
    assert.equal(replay(tls, ['220 ready', '200 fine']), 'done')
  })
})
