import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { replay, sentBy } from '../../../test/support/replay.ts'
import { smtpProtocol } from './smtp.ts'

const { tls, starttls } = smtpProtocol.steps

describe('the dialogue of smtp', () => {
  it('greets, looks for STARTTLS, upgrades and greets again', () => {
    assert.deepEqual(sentBy(starttls), ['EHLO [192.0.2.1]', 'STARTTLS', 'EHLO [192.0.2.1]'])
    assert.deepEqual(sentBy(tls, '2001:db8::1'), ['EHLO [IPv6:2001:db8::1]'])
  })

  it('reads what servers say', () => {
    const offer = ['250-mx.example', '250-SIZE 1000', '250 STARTTLS']
    const cases: [readonly (string | null)[], string][] = [
      [['220 mx.example ESMTP', ...offer, '220 Ready', null, '250 mx.example'], 'done'],
      [['220-mx', '220-no spam', '220 please', '250-mx', '250-starttls ', '250 X', '220', null, '250 mx'], 'done'],
      [['220 mx', '250-mx.example', '250 SIZE 1000'], 'The server does not offer STARTTLS'],
      [['220 mx', '250 STARTTLS'], 'The server does not offer STARTTLS'],
      [['220 mx', '250-mx', '250 XSTARTTLS'], 'The server does not offer STARTTLS'],
      [['220 mx', ...offer, '454 TLS not available'], 'The server refuses STARTTLS: "454 TLS not available"'],
      [['220 mx', '502 What?'], 'The server refuses EHLO: "502 What?"'],
      [['220 mx', ...offer, '220 Go', null, '421 Bye'], 'The server refuses EHLO: "421 Bye"'],
      [['554 5.7.1 Go away'], 'The server accepts no mail now: it greets with "554 5.7.1 Go away"'],
      [['421-Too busy', '421 Try later'], 'The server accepts no mail now: it greets with "421-Too busy"'],
      [['* OK IMAP ready'], 'Not an answer of an SMTP server: "* OK IMAP ready"'],
      [['2200 mx'], 'Not an answer of an SMTP server: "2200 mx"'],
      [[''], 'Not an answer of an SMTP server: ""'],
      [['220-mx', '220-more'], 'waiting for the greeting'],
      [['220 mx', '250-mx', '25'], 'waiting for the answer to EHLO'],
    ]
    for (const [lines, found] of cases) assert.equal(replay(starttls, lines), found, lines.join('|'))
  })

  it('asks for nothing but an answer where TLS was there from the start', () => {
    assert.equal(replay(tls, ['220 mx', '250 mx']), 'done')
    assert.equal(replay(tls, ['220 mx', '550 no']), 'The server refuses EHLO: "550 no"')
  })
})
