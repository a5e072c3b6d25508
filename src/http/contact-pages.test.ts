import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { confirmationUrl, unsubscribeUrl } from '#contacts/links.ts'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import { takeConfirmationMail } from '#store/contacts/confirmation-mails.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { addContact, addWorkspace } from '../../test/support/alerts.ts'
import { testApi } from '../../test/support/api.ts'
import { testDatabase } from '../../test/support/database.ts'
import { createPages } from './contact-pages.ts'

describe('the pages behind the links in mails', async () => {
  const database = await testDatabase()
  const secrets = createSecrets(randomBytes(32))
  const now = new Date('2026-11-21T10:00:00Z')
  const pages = createPages({ services: { database, secrets, sendsMail: true }, now: () => now })
  const workspaceId = await addWorkspace(database)
  let contactId = ''

  const ask = async (method: 'GET' | 'POST' | 'HEAD', url: string, body?: string) => {
    const response = await pages.request(url, { method, ...(body === undefined ? {} : { body }) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const contact = () =>
    database.query
      .selectFrom('alert_channels')
      .select(['confirmed', 'enabled'])
      .where('id', '=', contactId)
      .executeTakeFirstOrThrow()
  const changes = async (): Promise<string[]> => {
    const { entries } = await listAuditEntries(database, { workspaceId, before: null, limit: 100 })
    const own = entries.filter(({ target }) => target.id === contactId)
    for (const { actor, target } of own) {
      assert.deepEqual(actor, { kind: 'system', id: null, name: 'Link in a mail' })
      assert.deepEqual([target.kind, target.name], ['alert_channel', 'Operations'])
    }
    return own.map(({ action }) => action)
  }
  const addAddress = async (expiresAt: Date, destination = 'ops@example.com'): Promise<string> => {
    contactId = await addContact(database, { workspaceId, kind: 'email', destination, confirmed: false })
    await database.query
      .updateTable('alert_channels')
      .set({ confirmation_expires_at: expiresAt })
      .where('id', '=', contactId)
      .execute()
    return confirmationUrl('http://perigee.test', contactId, secrets)
  }
  const later = new Date(now.getTime() + 1)

  describe('confirmation', () => {
    it('changes nothing when a link is opened, however often', async () => {
      const url = await addAddress(later)
      for (const method of ['GET', 'HEAD', 'GET'] as const) {
        const { status, headers } = await ask(method, url)
        assert.deepEqual([status, headers.get('content-type')], [200, 'text/html; charset=utf-8'])
      }
      const { text } = await ask('GET', url)
      assert.match(text, /ops@example\.com/)
      assert.match(text, /<form method="post"><button type="submit">Confirm<\/button><\/form>/)
      assert.equal((await contact()).confirmed, false)
    })

    it('confirms when the button is pressed, once', async () => {
      const url = await addAddress(later, 'Ops+alerts@example.com')
      await database.transaction((tx) => takeConfirmationMail(tx, { subject: { mailbox: 'ops@example.com' }, now }))
      const { status, text } = await ask('POST', url)
      assert.equal(status, 200)
      assert.match(text, /This address is confirmed/)
      assert.doesNotMatch(text, /<form/)
      assert.equal((await contact()).confirmed, true)
      // A confirmed owner of the mailbox wants these mails, so the service forgets how many it sent.
      assert.equal((await database.pool.query('select from confirmation_mails')).rows.length, 0)
      await database.query.updateTable('alert_channels').set({ confirmed: false }).where('id', '=', contactId).execute()
      assert.equal((await ask('POST', url)).status, 410)
      assert.equal((await contact()).confirmed, false)
    })

    it('stands in the audit log, once', async () => {
      const url = await addAddress(later)
      for (const method of ['GET', 'POST', 'POST'] as const) await ask(method, url)
      assert.deepEqual(await changes(), ['confirm_alert_channel'])
    })

    it('ends after its time', async () => {
      const url = await addAddress(now)
      for (const method of ['GET', 'POST'] as const) {
        const { status, text } = await ask(method, url)
        assert.equal(status, 410)
        assert.match(text, /This link has expired/)
      }
      assert.equal((await contact()).confirmed, false)
    })

    it('is not to be had with a link of somebody else, or of nobody', async () => {
      const url = await addAddress(later)
      const stranger = url.replace(contactId, randomUUID())
      const unsubscribing = unsubscribeUrl('http://perigee.test', contactId, secrets).split('/').at(-1) ?? ''
      for (const wrong of [stranger, `${url}x`, url.replace(/\.[^/]*$/, `.${unsubscribing}`), url.slice(0, -43)])
        for (const method of ['GET', 'POST'] as const) assert.equal((await ask(method, wrong)).status, 404, wrong)
      assert.equal((await contact()).confirmed, false)
    })

    it('shows an address as text, whatever is in it', async () => {
      const { text } = await ask('GET', await addAddress(later, '<script>alert(1)</script>"@example.com'))
      assert.doesNotMatch(text, /<script/)
      assert.match(text, /&lt;script&gt;/)
    })
  })

  describe('unsubscribing', () => {
    let url = ''
    beforeEach(async () => {
      contactId = await addContact(database, { workspaceId, kind: 'email', destination: 'ops@example.com' })
      url = unsubscribeUrl('http://perigee.test', contactId, secrets)
    })

    it('changes nothing when a link is opened', async () => {
      const { status, text } = await ask('GET', url)
      assert.equal(status, 200)
      assert.match(text, /Stop all alerts to ops@example\.com\?/)
      assert.equal((await contact()).enabled, true)
    })

    it('ends alerts with the button, and with the one click of RFC 8058, any number of times', async () => {
      for (const body of ['', 'List-Unsubscribe=One-Click', 'List-Unsubscribe=One-Click']) {
        const { status, text } = await ask('POST', url, body)
        assert.equal(status, 200)
        assert.match(text, /You are unsubscribed/)
        assert.equal((await contact()).enabled, false)
      }
      assert.doesNotMatch((await ask('GET', url)).text, /<form/)
    })

    it('stands in the audit log, once', async () => {
      for (const method of ['GET', 'POST', 'POST'] as const) await ask(method, url)
      assert.deepEqual(await changes(), ['unsubscribe_alert_channel'])
    })

    it('is no error when the contact was deleted', async () => {
      await database.query.deleteFrom('alert_channels').where('id', '=', contactId).execute()
      assert.deepEqual([(await ask('GET', url)).status, (await ask('POST', url)).status], [200, 200])
    })

    it('is not to be had with a link of somebody else, or of nobody', async () => {
      const stranger = await addContact(database, { workspaceId, kind: 'email' })
      for (const wrong of [url.replace(contactId, stranger), url.slice(0, -1), url.replace(contactId, 'x')])
        for (const method of ['GET', 'POST'] as const) assert.equal((await ask(method, wrong)).status, 404, wrong)
      assert.equal((await contact()).enabled, true)
    })
  })

  it('load nothing, run nothing and stand in no frame', async () => {
    const { headers, text } = await ask('GET', await addAddress(later))
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
      assert.ok(policy.includes(rule), rule)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.doesNotMatch(text, /<script|<img|<link|style=|src=|https?:/)
  })

  it('keep their own headers within the whole service, which refuses other methods', async () => {
    const url = await addAddress(later)
    const { app } = await testApi({
      http: {
        addRoutes: (whole) => whole.route('/', createPages({ services: { database, secrets, sendsMail: true } })),
      },
    })
    const ofService = (method: string) => app.request(url, { method }, { address: '192.0.2.1' })
    const shown = await ofService('GET')
    assert.equal(shown.status, 410)
    assert.match(shown.headers.get('content-security-policy') ?? '', /style-src 'sha256-/)
    assert.equal(shown.headers.get('referrer-policy'), 'no-referrer')
    const refused = await ofService('DELETE')
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD, POST'])
  })
})
