import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { emailMessage } from '#contacts/email.ts'
import type { MailMessage, MailOutcome } from '#contacts/message.ts'
import { alertOf } from '../../../test/support/alerts.ts'
import { startMailServer } from '../../../test/support/mail-server.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { createMailer } from './mailer.ts'
import { outboxLimit } from './outbox.ts'
import { toOutcome } from './smtp.ts'

const accepted = { ok: true, answer: { isAccepted: true, code: 250 } }

function mail(name = 'Shop API'): MailMessage {
  return emailMessage(alertOf('monitor.down', { name }), {
    deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
    sentAt: new Date(),
    destination: 'ops@example.com',
    signingSecrets: [],
    publicUrl: 'https://perigee.example',
    unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
  })
}

describe('mail through a server', async () => {
  const server = await startMailServer()
  const mailer = createMailer({ smtpUrl: server.url, from: 'Perigee <alerts@perigee.example>', outboxFolder: '' })
  after(mailer.close)
  const send = (message = mail(), signal = AbortSignal.timeout(5000)): Promise<MailOutcome> =>
    mailer.sendMail(message, signal)

  beforeEach(() => {
    server.received.length = 0
    server.refuse({})
  })

  it('arrives as text and HTML with the headers it was given', async () => {
    assert.deepEqual(await send(), accepted)
    const [one] = server.received
    assert.equal(one?.from, 'alerts@perigee.example')
    assert.deepEqual(one?.to, ['ops@example.com'])
    const raw = one?.raw ?? ''
    assert.match(raw, /^Subject: Down: Shop API\r$/m)
    assert.match(raw, /^From: Perigee <alerts@perigee\.example>\r$/m)
    assert.match(raw, /^Message-ID: <7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b@perigee\.example>\r$/m)
    assert.match(raw, /^List-Unsubscribe: <https:\/\/perigee\.example\/contacts\/unsubscribe\/c\/s>\r$/m)
    assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    assert.match(raw, /^Content-Type: text\/plain; charset=utf-8\r$/m)
    assert.match(raw, /^Content-Type: text\/html; charset=utf-8\r$/m)
  })

  it('goes to nobody else and has no header more, whatever a monitor is called', async () => {
    await send(mail('Shop\r\nBcc: all@example.com\r\n\r\n<b>body</b>'))
    const [one] = server.received
    assert.deepEqual(one?.to, ['ops@example.com'])
    assert.doesNotMatch(one?.raw ?? '', /^Bcc:/im)
  })

  it('leaves over connections that are kept', async () => {
    const before = server.connections()
    for (let count = 0; count < 5; count += 1) await send()
    assert.ok(server.connections() - before <= 1)
    assert.equal(server.received.length, 5)
  })

  const refusals = [
    [
      'a greeting that refuses for good',
      { greeting: () => ({ code: 554, text: 'No service here' }) },
      { code: 554, refused: 'session', isPermanent: true, text: '554 No service here' },
    ],
    [
      'a greeting that refuses for now',
      { greeting: () => ({ code: 421, text: 'Too many connections' }) },
      { code: 421, refused: 'session', isPermanent: false, text: '421 Too many connections' },
    ],
    [
      'a sender refused for good',
      { sender: () => ({ code: 550, text: 'Who are you?' }) },
      { code: 550, refused: 'session', isPermanent: true, text: '550 Who are you?' },
    ],
    [
      'a sender refused for now',
      { sender: () => ({ code: 451, text: 'Try later' }) },
      { code: 451, refused: 'session', isPermanent: false, text: '451 Try later' },
    ],
    [
      'an address to which the server does not relay for this service',
      { recipient: () => ({ code: 554, text: '5.7.1 Relay access denied' }) },
      { code: 554, refused: 'session', isPermanent: true, text: '554 5.7.1 Relay access denied' },
    ],
    [
      'a sender refused together with the address',
      { recipient: () => ({ code: 550, text: '5.1.8 Sender rejected' }) },
      { code: 550, refused: 'session', isPermanent: true, text: '550 5.1.8 Sender rejected' },
    ],
    [
      'an address that does not exist',
      { recipient: () => ({ code: 550, text: '5.1.1 No such user' }) },
      { code: 550, refused: 'address', isPermanent: true, text: '550 5.1.1 No such user' },
    ],
    [
      'a service that shuts down',
      { recipient: () => ({ code: 421, text: 'Shutting down' }) },
      { code: 421, refused: 'session', isPermanent: false, text: '421 Shutting down' },
    ],
    [
      'an address refused for good',
      { recipient: () => ({ code: 550, text: 'No such user' }) },
      { code: 550, refused: 'address', isPermanent: true, text: '550 No such user' },
    ],
    [
      'an address refused for now',
      { recipient: () => ({ code: 450, text: 'Try later' }) },
      { code: 450, refused: 'address', isPermanent: false, text: '450 Try later' },
    ],
    [
      'a message refused for good',
      { message: () => ({ code: 554, text: 'Looks like spam' }) },
      { code: 554, refused: 'message', isPermanent: true, text: '554 Looks like spam' },
    ],
    [
      'a message refused for now',
      { message: () => ({ code: 451, text: 'Out of space' }) },
      { code: 451, refused: 'message', isPermanent: false, text: '451 Out of space' },
    ],
  ] as const
  for (const [name, refuse, answer] of refusals)
    it(`tells ${name}`, async () => {
      const another = createMailer({ smtpUrl: server.url, from: 'alerts@perigee.example', outboxFolder: '' })
      const sendAnother = (): Promise<MailOutcome> => another.sendMail(mail(), AbortSignal.timeout(5000))
      server.refuse(refuse)
      assert.deepEqual(await sendAnother(), { ok: true, answer: { isAccepted: false, ...answer } })
      server.refuse({})
      assert.deepEqual(await sendAnother(), accepted)
      await another.close()
    })

  for (const point of ['greeting', 'sender', 'recipient', 'message'] as const)
    it(`is for another time when the connection is cut instead of an answer to the ${point}`, async () => {
      const another = createMailer({ smtpUrl: server.url, from: 'alerts@perigee.example', outboxFolder: '' })
      const sendAnother = (): Promise<MailOutcome> => another.sendMail(mail(), AbortSignal.timeout(5000))
      server.refuse({ [point]: () => 'cut' })
      const outcome = await sendAnother()
      assert.match(outcome.ok ? 'an answer' : outcome.failure, /could not be used/)
      server.refuse({})
      assert.deepEqual(await sendAnother(), accepted)
      await another.close()
    })

  it('is for another time when the server is not there', async () => {
    const gone = await startReceiver()
    await gone.close()
    const lost = createMailer({
      smtpUrl: gone.url.replace('http', 'smtp'),
      from: 'a@perigee.example',
      outboxFolder: '',
    })
    const outcome = await lost.sendMail(mail(), AbortSignal.timeout(5000))
    await lost.close()
    assert.match(outcome.ok ? 'an answer' : outcome.failure, /could not be used/)
  })

  it('ends by its signal when the server stays silent', async () => {
    const silent = await startReceiver()
    const stuck = createMailer({
      smtpUrl: silent.url.replace('http', 'smtp'),
      from: 'a@perigee.example',
      outboxFolder: '',
    })
    const outcome = await stuck.sendMail(mail(), AbortSignal.timeout(100))
    await stuck.close()
    assert.match(outcome.ok ? 'an answer' : outcome.failure, /in time/)
  })

  it('does not blame the address for a log-in or a sender that the server refuses', () => {
    for (const command of ['AUTH PLAIN', 'MAIL FROM']) {
      const error = Object.assign(new Error('no'), { command, responseCode: 535, response: '535 no', permanent: true })
      assert.deepEqual(toOutcome(error), {
        ok: true,
        answer: { isAccepted: false, code: 535, refused: 'session', isPermanent: true, text: '535 no' },
      })
    }
  })
})

describe('mail without a server', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'perigee-outbox-')), 'outbox')
  const mailer = createMailer({ smtpUrl: null, from: 'alerts@perigee.example', outboxFolder: folder })
  after(() => rm(folder, { recursive: true, force: true }))
  const send = (): Promise<MailOutcome> => mailer.sendMail(mail(), AbortSignal.timeout(5000))

  it('is kept as a file that the owner alone may read', async () => {
    assert.deepEqual(await send(), { ok: true, answer: { isAccepted: true, code: null } })
    const [name = ''] = await readdir(folder)
    assert.match(name, /\.eml$/)
    assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600)
    assert.equal((await stat(folder)).mode & 0o777, 0o700)
    const raw = await readFile(join(folder, name), 'utf8')
    assert.match(raw, /^To: ops@example\.com\r$/m)
    assert.match(raw, /^Subject: Down: Shop API\r$/m)
  })

  it('makes room for the newest by removing the oldest', async () => {
    const old = Array.from({ length: outboxLimit }, () => `2020-01-01T00-00-00.000Z-${randomUUID()}.eml`).toSorted()
    await Promise.all(old.map((name) => writeFile(join(folder, name), '')))
    await Promise.all([send(), send(), send()])
    const names = (await readdir(folder)).toSorted()
    assert.equal(names.length, outboxLimit)
    assert.equal(names.filter((name) => !name.startsWith('2020')).length, 4)
    assert.deepEqual(names.slice(0, 2), old.slice(4, 6))
  })
})
