import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { MailMessage, MailOutcome } from '#contacts/message.ts'
import { watchMail } from './mail-watch.ts'

const message: MailMessage = { via: 'mail', to: 'a@example.com', subject: '', text: '', html: '', headers: {} }
const accepted: MailOutcome = { ok: true, answer: { isAccepted: true, code: 250 } }
const silent: MailOutcome = { ok: false, failure: 'The mail server did not answer in time.' }

function refused(refusal: 'address' | 'session'): MailOutcome {
  const answer = { isAccepted: false, code: 550, refused: refusal, isPermanent: true, text: '550 no' } as const
  return { ok: true, answer }
}

const five = Array.from({ length: 5 }, () => refused('address'))
const cases: [what: string, outcomes: MailOutcome[], told: (string | null)[]][] = [
  ['is well from the first mail that it takes, which is told once', [accepted, accepted], [null]],
  ['fails while it is silent', [silent, silent, accepted], ['The mail server did not answer in time.', null]],
  ['fails where it refuses the log-in', [refused('session')], ['The mail server refuses mail: 550 no']],
  ['does not fail for an address that it refuses', [accepted, refused('address'), refused('address')], [null]],
  ['fails when it refuses five in a row', [accepted, ...five], [null, 'The mail server refuses mail: 550 no']],
  ['begins to count anew with each that it takes', [...five.slice(1), accepted, ...five.slice(1)], [null]],
]
for (const [what, outcomes, expected] of cases)
  it(`a mail server ${what}`, async () => {
    const told: (string | null)[] = []
    const coming = [...outcomes]
    const send = watchMail({
      sendMail: async () => coming.shift() ?? accepted,
      onFailing: async (error) => void told.push(error),
      onWell: async () => void told.push(null),
    })
    for (const outcome of outcomes) assert.equal(await send(message, AbortSignal.timeout(60_000)), outcome)
    assert.deepEqual(told, expected)
  })

it('what could not be told is told with the next mail, and no mail fails for it', async () => {
  let tries = 0
  const send = watchMail({
    sendMail: async () => silent,
    onFailing: async () => {
      tries += 1
      if (tries === 1) throw new Error('the database is away')
    },
    onWell: async () => {},
  })
  for (let mails = 0; mails < 3; mails += 1) assert.equal(await send(message, AbortSignal.timeout(60_000)), silent)
  assert.equal(tries, 2)
})

it('a mail that is given up because the process ends says nothing of the server', async () => {
  const told: string[] = []
  const ending = new AbortController()
  const send = watchMail({
    sendMail: async () => {
      ending.abort()
      return silent
    },
    onFailing: async (error) => void told.push(error),
    onWell: async () => {},
  })
  await send(message, ending.signal)
  assert.deepEqual(told, [])
})
