import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import {
  forgetConfirmationMails,
  forgiveConfirmationMails,
  type MailSubject,
  mailLimitOf,
  takeConfirmationMail,
} from './confirmation-mails.ts'

const database = await testDatabase({ maxConnections: 10 })
const noon = new Date('2026-03-01T12:00:00Z')
const hours = (count: number, from = noon): Date => new Date(from.getTime() + count * 3_600_000)

function take(subject: MailSubject, now: Date): Promise<Date | null> {
  return database.transaction((tx) => takeConfirmationMail(tx, { subject, now }))
}

describe('confirmation mails', () => {
  it('are three in any 24 hours to a mailbox, and the fourth is told when it may go', async () => {
    const subject = { mailbox: 'three@example.com' }
    for (const at of [0, 1, 23]) assert.equal(await take(subject, hours(at)), null)
    for (const at of [23, 23.99]) assert.deepEqual(await take(subject, hours(at)), hours(24))
    assert.equal(await take(subject, hours(24)), null)
    assert.deepEqual(await take(subject, hours(24)), hours(25))
    assert.equal(await take({ mailbox: 'other@example.com' }, hours(23)), null)
  })

  it('are a hundred a day out of a workspace', async () => {
    const subject = { workspaceId: '0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10' }
    assert.equal(mailLimitOf(subject), 100)
    for (let count = 0; count < 100; count += 1) assert.equal(await take(subject, noon), null)
    assert.deepEqual(await take(subject, hours(1)), hours(24))
    assert.equal(await take(subject, hours(24)), null)
  })

  it('are three a day out of a workspace of strangers, and ten of all that are used from one address', async () => {
    const workspaceId = '0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e11'
    const own = { workspaceId, isOfStranger: true }
    for (let count = 0; count < 3; count += 1) assert.equal(await take(own, noon), null)
    assert.deepEqual(await take(own, noon), hours(24))
    assert.equal(await take({ workspaceId }, noon), null)
    const source = { source: '192.0.2.1' }
    for (let count = 0; count < 10; count += 1) assert.equal(await take(source, noon), null)
    assert.deepEqual(await take(source, noon), hours(24))
  })

  it('are counted exactly however many are sent at once', async () => {
    const subject = { mailbox: 'race@example.com' }
    const taken = await Promise.all(Array.from({ length: 30 }, () => take(subject, noon)))
    assert.equal(taken.filter((next) => next === null).length, 3)
  })

  it('do not count where the transaction that sends them fails', async () => {
    const subject = { mailbox: 'undone@example.com' }
    for (let count = 0; count < 5; count += 1)
      await assert.rejects(
        database.transaction(async (tx) => {
          assert.equal(await takeConfirmationMail(tx, { subject, now: noon }), null)
          throw new Error('undone')
        }),
      )
    assert.equal(await take(subject, noon), null)
  })

  it('do not count once the link of one was opened', async () => {
    const subject = { mailbox: 'friend@example.com' }
    for (let count = 0; count < 3; count += 1) await take(subject, noon)
    await database.transaction((tx) => forgiveConfirmationMails(tx, subject))
    assert.equal(await take(subject, noon), null)
  })

  it('are forgotten when they count for nothing any more', async () => {
    const count = async (): Promise<number> => (await database.pool.query('select from confirmation_mails')).rows.length
    await database.pool.query('delete from confirmation_mails')
    await take({ mailbox: 'old@example.com' }, noon)
    await take({ mailbox: 'young@example.com' }, hours(1))
    await database.transaction((tx) => forgetConfirmationMails(tx, hours(23.99)))
    assert.equal(await count(), 2)
    await database.transaction((tx) => forgetConfirmationMails(tx, hours(24)))
    assert.equal(await count(), 1)
  })
})
