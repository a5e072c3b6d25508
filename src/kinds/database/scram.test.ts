import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scramClient } from './scram.ts'

// Password, salt and nonces are those of the example in RFC 7677 3. PostgreSQL is told the user elsewhere, so that the
// name is left out here and proof and signature differ from the example's.
const nonce = 'rOprNGfwEbeRWgbNEkqO'
const joint = `${nonce}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0`
const serverFirst = `r=${joint},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`
const proof = 'qvT2SWdEH5Q06albL+hjSYuUhCG7VndFyzIb7CK4n9k='
const signature = '3HO6Qt1M4MKJrmlKaoOqLAI0/0TV0HZe7J9H3MBtSOg='

describe('a client of SCRAM-SHA-256', () => {
  it('proves that it knows the password, and wants the same of the server', async () => {
    const client = scramClient('pencil', nonce)
    assert.equal(client.first, `n,,n=,r=${nonce}`)
    const answer = (await client.answer(serverFirst)) ?? assert.fail('No answer.')
    assert.equal(answer.final, `c=biws,r=${joint},p=${proof}`)
    assert.equal(answer.isProof(`v=${signature}`), true)
    for (const other of [`v=${proof}`, 'v=', `v=${signature.slice(4)}`, 'e=invalid-proof', ''])
      assert.equal(answer.isProof(other), false, other)
  })

  it('says another nonce each time', () => {
    assert.notEqual(scramClient('pencil').first, scramClient('pencil').first)
    assert.match(scramClient('pencil').first, /^n,,n=,r=[A-Za-z0-9+/]{24}$/)
  })

  it('answers no first message that is none, and none that would take long', async () => {
    const client = scramClient('pencil', nonce)
    const wrong = [
      '',
      'x',
      serverFirst.replace(nonce, 'another'),
      serverFirst.replace(joint, nonce),
      serverFirst.replace('i=4096', 'i=0'),
      serverFirst.replace('i=4096', 'i=200001'),
      serverFirst.replace('i=4096', 'i=4294967295'),
      serverFirst.replace('s=W22ZaJ0SNY7soEsUEjb6gQ==', 's='),
      `${serverFirst},m=extension`,
    ]
    for (const each of wrong) assert.equal(await client.answer(each), null, each)
    assert.notEqual(await client.answer(serverFirst.replace('i=4096', 'i=1')), null)
  })
})
