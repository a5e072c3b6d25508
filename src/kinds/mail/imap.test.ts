import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { replay, sentBy } from '../../../test/support/replay.ts'
import { imapProtocol } from './imap.ts'

const { tls, starttls } = imapProtocol.steps

describe('the dialogue of imap', () => {
  it('asks for capabilities, upgrades and asks again, each with a tag of its own', () => {
    assert.deepEqual(sentBy(starttls), ['a1 CAPABILITY', 'a2 STARTTLS', 'a3 CAPABILITY'])
    assert.deepEqual(sentBy(tls), ['a1 CAPABILITY'])
  })

  it('reads what servers say', () => {
    const offer = ['* CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED', 'a1 OK done']
    const cases: [readonly (string | null)[], string][] = [
      [['* OK ready', ...offer, 'a2 OK begin', null, '* CAPABILITY IMAP4rev1', 'a3 OK done'], 'done'],
      [['* ok [X]', '* capability imap4rev2 starttls', 'a1 ok', 'a2 ok', null, 'a3 ok'], 'done'],
      [['* OK ready', '* CAPABILITY IMAP4rev1', 'a1 OK done'], 'The server does not offer STARTTLS'],
      [['* OK STARTTLS', '* CAPABILITY XSTARTTLS', 'a1 OK'], 'The server does not offer STARTTLS'],
      [['* OK ready', ...offer, 'a2 NO not now'], 'The server refuses STARTTLS: "a2 NO not now"'],
      [['* OK ready', 'a1 BAD what'], 'The server refuses CAPABILITY: "a1 BAD what"'],
      [['* OK ready', '* BYE idle'], 'The server ends the conversation: "* BYE idle"'],
      [['* BYE overloaded'], 'The server accepts no sessions now: it greets with "* BYE overloaded"'],
      [['* PREAUTH hello'], 'The server logs everyone in at once (PREAUTH), so STARTTLS is not possible'],
      [['220 mx ESMTP'], 'Not an answer of an IMAP server: "220 mx ESMTP"'],
      [['* OKAY'], 'Not an answer of an IMAP server: "* OKAY"'],
      [['* OK', 'a9 OK'], 'Not an answer of an IMAP server: "a9 OK"'],
      [['* OK', '* 3 EXISTS'], 'waiting for the answer to CAPABILITY'],
    ]
    for (const [lines, found] of cases) assert.equal(replay(starttls, lines), found, lines.join('|'))
  })

  it('asks for nothing but an answer where TLS was there from the start', () => {
    assert.equal(replay(tls, ['* PREAUTH hello', '* CAPABILITY IMAP4rev1', 'a1 OK']), 'done')
    assert.equal(replay(tls, ['* OK', 'a1 NO']), 'The server refuses CAPABILITY: "a1 NO"')
  })
})
