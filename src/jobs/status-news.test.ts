import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { signingSecretOf } from '#contacts/webhook.ts'
import type { Database } from '#store/database/database.ts'
import { fanOut, forgetEvents, tellPost } from '#store/status-pages/page-events.ts'
import { addSubscriber, forgetUnconfirmed, noteReached, noteRefused } from '#store/status-pages/subscribers.ts'
import { resolveIncidents } from '#store/incidents/transitions.ts'
import { updateStatusPage } from '#store/status-pages/status-pages.ts'
import { headerOf, textOf } from '../../test/flow/mails.ts'
import { testApi } from '../../test/support/api.ts'
import type { ReceivedMail } from '../../test/support/mail-server.ts'
import { addRunningIncident, createMonitor } from '../../test/support/monitors.ts'
import { peopleApi } from '../../test/support/people.ts'
import { onlyTold, startReceiver } from '../../test/support/receiver.ts'
import { addPage, addPost, visit } from '../../test/support/status.ts'
import { until } from '../../test/support/until.ts'

const patienceMs = 30_000

describe('being told what happens on a status page', async () => {
  const signIns = { perMinute: 100_000, passwordsPerQuarterHour: 100_000, mailsPerHour: 5 }
  const { api, server } = await peopleApi({ rates: { signIns } })
  const { database, workspaceId, services } = api
  const receiver = await startReceiver()
  const shop = await createMonitor(api, { name: 'Internal shop name' })
  const sections = [{ name: '', monitors: [{ monitorId: shop.id, name: 'Shop' }] }]
  const page = await addPage(database, { workspaceId, slug: 'acme', title: 'Acme', sections })
  const key = Buffer.alloc(32, 7)

  const ask = (email: string, address: string) =>
    visit(api, '/status/acme/subscribe', { method: 'POST', body: new URLSearchParams({ email }).toString(), address })
  const mailTo = async (email: string, subject: RegExp): Promise<ReceivedMail> => {
    let found: ReceivedMail | undefined
    await until(
      `a mail to ${email}: ${subject.source}`,
      async () => {
        found = server.received.find((mail) => mail.to.includes(email) && subject.test(headerOf(mail, 'Subject')))
        return found !== undefined
      },
      patienceMs,
    )
    server.received.splice(server.received.indexOf(found ?? assert.fail()), 1)
    return found ?? assert.fail()
  }
  const count = async (): Promise<number> =>
    Number(
      (await database.pool.query('select count(*) as count from status_subscribers where confirmed_at is not null'))
        .rows[0].count,
    )
  let endPath = ''
  let incidentId = ''

  it('is asked for on the page, and confirmed by a link in a mail that quotes nobody', async () => {
    const answer = await ask('reader@example.com', '198.51.100.1')
    assert.equal(answer.status, 200)
    assert.match(answer.text, /Check your mailbox/)
    const mail = await mailTo('reader@example.com', /Confirm updates of a status page/)
    assert.match(textOf(mail), /status page perigee\.example\/status\/acme/)
    assert.doesNotMatch(textOf(mail), /Acme/)
    const path = pathIn(mail, /https:\/\/perigee\.example\/status-mail\/confirm\/[\w.-]+/)
    for (const method of ['GET', 'HEAD', 'GET']) assert.equal((await visit(api, path, { method })).status, 200)
    assert.equal(await count(), 0, 'opening it changes nothing')
    assert.match((await visit(api, path, { method: 'POST' })).text, /You are subscribed/)
    assert.equal(await count(), 1)
    assert.match((await visit(api, path)).text, /You are subscribed/)
    for (const wrong of [`${path}x`, path.replace(/\/[0-9a-f]{8}/, '/00000000')])
      assert.equal((await visit(api, wrong)).status, 404)
  })

  it('comes in the language in which it was asked for, with times of the zone of the reader', async () => {
    const subscribe = (query: string, form: Record<string, string>) =>
      visit(api, `/status/acme/subscribe${query}`, { method: 'POST', body: formOf(form), address: '198.51.100.9' })
    const german = { email: 'leser@example.com', time_zone: 'Europe/Berlin' }
    // Who asks again before it is confirmed gets the mails as asked for last.
    await subscribe('?lang=ja', { email: german.email, time_zone: 'No/Zone' })
    await mailTo(german.email, /ステータスページの更新情報の登録確認/)
    assert.match((await subscribe('?lang=de', german)).text, /Sehen Sie in Ihr Postfach/)
    const asked = await mailTo(german.email, /^Meldungen einer Statusseite bestätigen$/)
    const path = pathIn(asked, /https:\/\/perigee\.example\/status-mail\/confirm\/[\w.-]+/)
    assert.match((await visit(api, path, { headers: { 'Accept-Language': 'fr' } })).text, /<html lang="de">/)
    assert.match((await visit(api, path, { method: 'POST' })).text, /Sie sind angemeldet/)
    // Anybody can type a confirmed address, and changes nothing of it.
    await subscribe('?lang=fr', { email: german.email, time_zone: 'Asia/Tokyo' })
    const post = await addPost(database, {
      workspaceId,
      pageId: page.id,
      title: 'Umzug',
      body: 'Hier.',
      postedAt: new Date('2026-11-21T23:04:00Z'),
    })
    await database.transaction((tx) => tellPost(tx, { postId: post.id, at: new Date() }))
    const told = await mailTo(german.email, /^Acme: Umzug$/)
    assert.match(textOf(told), /Veröffentlicht: 22\. Nov\. 2026, 00:04 MEZ/)
    assert.match(textOf(told), /Acme öffnen: https:\/\/perigee\.example\/status\/acme\?lang=de/)
    assert.match(textOf(told), /<html lang="de">/)
    await mailTo('reader@example.com', /^Acme: Umzug$/)
    const end = new URL(headerOf(told, 'List-Unsubscribe').slice(1, -1)).pathname
    assert.match((await visit(api, end, { method: 'POST' })).text, /Sie sind abgemeldet/)
  })

  it('says the same to whoever asks, whatever is known of the address', async () => {
    const unknown = await ask('unknown@example.com', '198.51.100.2')
    const known = await ask('reader@example.com', '198.51.100.2')
    const waiting = await ask('Unknown@example.com', '198.51.100.2')
    assert.deepEqual([known.status, known.text], [unknown.status, unknown.text])
    assert.deepEqual([waiting.status, waiting.text], [unknown.status, unknown.text])
    await mailTo('unknown@example.com', /Confirm/)
    await until('the mail that was asked for again', async () => server.received.length === 1, patienceMs)
    server.received.length = 0
    const { rows } = await database.pool.query('select destination from status_subscribers order by created_at')
    assert.deepEqual(
      rows.map(({ destination }) => destination),
      ['reader@example.com', 'unknown@example.com'],
    )
    assert.equal((await ask('no address', '198.51.100.3')).status, 422)
    assert.equal((await ask('', '198.51.100.3')).status, 422)
  })

  it('is asked for five times an hour from one address, and sent three times a day to one mailbox', async () => {
    const answers = []
    for (let tries = 0; tries < 6; tries += 1) answers.push((await ask('flood@example.com', '198.51.100.4')).status)
    assert.deepEqual(answers, [200, 200, 200, 200, 200, 429])
    await until('all mails', async () => (await waitingMails(database)) === 0, patienceMs)
    assert.equal(server.received.length, 3)
    server.received.length = 0
  })

  it('comes by webhook too, which a member added', async () => {
    const at = new Date()
    const id = randomUUID()
    const place = { column: 'status_subscribers.signing_secret', id } as const
    const added = await database.transaction((tx) =>
      addSubscriber(
        tx,
        {
          id,
          pageId: page.id,
          kind: 'webhook',
          destination: `${receiver.url}/status`,
          signingSecret: services.secrets.encrypt(signingSecretOf(key), place),
          confirmedAt: at,
          expiresAt: null,
          createdAt: at,
        },
        10,
      ),
    )
    assert.equal(added.outcome, 'added')
  })

  it('comes when an incident begins, with the name that the page has and without the error', async () => {
    incidentId = await addRunningIncident(database, shop, new Date())
    const mail = await mailTo('reader@example.com', /^Acme: Shop is down$/)
    const text = textOf(mail)
    assert.doesNotMatch(text, /Internal|refused|example\.com\/health/)
    assert.equal(headerOf(mail, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click')
    endPath = new URL(headerOf(mail, 'List-Unsubscribe').slice(1, -1)).pathname
    assert.match(endPath, /^\/status-mail\/unsubscribe\//)
    const told = await onlyTold(receiver, key.toString('base64'))
    assert.deepEqual(told, {
      type: 'status.incident_opened',
      timestamp: told.timestamp,
      data: {
        page: { id: page.id, title: 'Acme', url: 'https://perigee.example/status/acme' },
        incident: { id: incidentId, monitor_name: 'Shop', started_at: told.timestamp, resolved_at: null },
        post: null,
        maintenance: null,
      },
    })
  })

  it('comes with each post, and when the incident is over, in one thread', async () => {
    const post = await addPost(database, {
      workspaceId,
      incidentId,
      state: 'identified',
      body: 'It was the <cable>.\nWe mend it.',
    })
    await database.transaction((tx) => tellPost(tx, { postId: post.id, at: new Date() }))
    const written = await mailTo('reader@example.com', /^Acme: Identified: Shop$/)
    assert.match(textOf(written), /It was the <cable>\.\r?\nWe mend it\./)
    assert.match(textOf(written), /It was the &lt;cable&gt;\./)
    await database.transaction((tx) => resolveIncidents(tx, [{ incidentId, at: new Date(), message: 'Up.' }]))
    const over = await mailTo('reader@example.com', /^Acme: Shop works again$/)
    assert.equal(headerOf(over, 'References'), headerOf(written, 'References'))
    assert.notEqual(headerOf(over, 'Message-ID'), headerOf(written, 'Message-ID'))
    const announced = await addPost(database, { workspaceId, pageId: page.id, title: 'We moved', body: 'Here.' })
    await database.transaction((tx) => tellPost(tx, { postId: announced.id, at: new Date() }))
    await mailTo('reader@example.com', /^Acme: We moved$/)
    await until('the webhooks', async () => receiver.received.length === 4, patienceMs)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 4)
  })

  it('ends with one click of the mail program, or with the button of a page', async () => {
    assert.match((await visit(api, endPath)).text, /Stop all updates of the status page to reader@example\.com/)
    assert.equal(await count(), 2)
    for (const body of ['List-Unsubscribe=One-Click', '']) {
      const answer = await visit(api, endPath, { method: 'POST', body })
      assert.deepEqual([answer.status, /You are unsubscribed/.test(answer.text)], [200, true])
    }
    assert.equal(await count(), 1)
    assert.equal((await visit(api, `${endPath}x`, { method: 'POST' })).status, 404)
    assert.match((await visit(api, endPath)).text, /You are unsubscribed/)
  })

  it('ends where a webhook says that it is gone', async () => {
    receiver.react(() => ({ status: 410 }))
    const post = await addPost(database, { workspaceId, pageId: page.id, title: 'Last', body: 'Here.' })
    await database.transaction((tx) => tellPost(tx, { postId: post.id, at: new Date() }))
    await until('the subscriber is removed', async () => (await count()) === 0, patienceMs)
  })
})

describe('what subscribers are told', async () => {
  const api = await testApi({ maxConnections: 5 })
  const { database, workspaceId } = api
  const shop = await createMonitor(api, { name: 'Shop' })
  const page = await addPage(database, { workspaceId, slug: 'acme', monitorIds: [shop.id] })
  const subscribe = (name: string, confirmedAt: Date | null = new Date(), expiresAt: Date | null = null) =>
    database.transaction(async (tx) => {
      const subscriber = { id: randomUUID(), pageId: page.id, destination: `${name}@example.com`, signingSecret: null }
      await addSubscriber(tx, { ...subscriber, kind: 'email', confirmedAt, expiresAt, createdAt: new Date() }, 10_000)
      return subscriber.id
    })
  const events = async () =>
    (
      await database.pool.query<{ type: string; told: boolean }>(
        'select type, told_at is not null as told from status_events order by at, id',
      )
    ).rows
  const jobs = async () =>
    (
      await database.pool.query<{ count: number }>(
        `select count(*)::integer as count from graphile_worker.jobs where task_identifier = 'tell_status'`,
      )
    ).rows[0]?.count
  const fan = (now = new Date()) => database.transaction((tx) => fanOut(tx, now))
  const clear = () => database.pool.query('delete from status_events; delete from graphile_worker._private_jobs')
  const announce = async (at: Date) => {
    const { id } = await addPost(database, { workspaceId, pageId: page.id, title: 'x', body: 'x' })
    await database.transaction((tx) => tellPost(tx, { postId: id, at }))
    await database.pool.query(
      'delete from status_posts where id <> $1 and page_id = $2 and id not in (select post_id from status_events)',
      [id, page.id],
    )
  }

  it('is nothing without subscribers, or of a draft', async () => {
    await subscribe('waiting', null, new Date(Date.now() + 60_000))
    await announce(new Date())
    assert.deepEqual(await events(), [])
    await subscribe('reader')
    await database.transaction((tx) => updateStatusPage(tx, { ...page, visibility: 'draft' }))
    await announce(new Date())
    assert.deepEqual(await events(), [])
    await database.transaction((tx) => updateStatusPage(tx, page))
    await announce(new Date())
    assert.deepEqual(await events(), [{ type: 'post', told: false }])
    assert.equal(await fan(), true)
    assert.equal(await fan(), false)
    assert.equal(await jobs(), 1)
    await clear()
  })

  it('becomes a job for each, five hundred at a time, each once', async () => {
    await database.pool.query(
      `insert into status_subscribers (id, page_id, kind, destination, confirmed_at, created_at)
      select gen_random_uuid(), $1, 'email', n || '@many.example', now(), now() from generate_series(1, 1200) as n`,
      [page.id],
    )
    await announce(new Date())
    await Promise.all([fan(), fan(), fan(), fan(), fan()])
    while (await fan());
    assert.equal(await jobs(), 1201)
    const { rows } = await database.pool.query(`select count(distinct key)::integer as keys from graphile_worker.jobs`)
    assert.equal(rows[0].keys, 1201)
    await database.pool.query(`delete from status_subscribers where destination like '%many.example'`)
    await clear()
  })

  it('is an incident that is over only by its end', async () => {
    const incidentId = await addRunningIncident(database, shop, new Date())
    await database.transaction((tx) => resolveIncidents(tx, [{ incidentId, at: new Date(), message: 'Up.' }]))
    while (await fan());
    assert.deepEqual(await events(), [
      { type: 'opened', told: true },
      { type: 'resolved', told: true },
    ])
    assert.equal(await jobs(), 1)
    await clear()
  })

  it('is twenty things an hour, then it waits, for a day at most', async () => {
    const start = Date.now()
    for (let each = 0; each < 25; each += 1) await announce(new Date(start + each))
    while (await fan(new Date(start + 100)));
    assert.equal(await jobs(), 20)
    while (await fan(new Date(start + 3_700_000)));
    assert.equal(await jobs(), 25)
    await clear()
    await announce(new Date(start))
    assert.equal(await fan(new Date(start + 86_500_000)), true)
    assert.equal(await jobs(), 0)
    assert.deepEqual(await events(), [{ type: 'post', told: true }])
    assert.equal(await forgetEvents(database, new Date(start + 29 * 86_400_000)), 0)
    assert.equal(await forgetEvents(database, new Date(start + 31 * 86_400_000)), 1)
  })

  it('ends for who refuses five messages in a row', async () => {
    const id = await subscribe('refusing')
    for (let each = 0; each < 4; each += 1) assert.equal(await noteRefused(database, id), false)
    await noteReached(database, id)
    for (let each = 0; each < 4; each += 1) assert.equal(await noteRefused(database, id), false)
    assert.equal(await noteRefused(database, id), true)
  })

  it('is kept from who did not confirm, who is forgotten', async () => {
    await subscribe('late', null, new Date(Date.now() + 1000))
    assert.equal(await forgetUnconfirmed(database, new Date()), 0)
    assert.ok((await forgetUnconfirmed(database, new Date(Date.now() + 120_000))) >= 1)
  })
})

function formOf(values: Record<string, string>): string {
  return new URLSearchParams(values).toString()
}

function pathIn(mail: ReceivedMail, form: RegExp): string {
  return new URL(form.exec(textOf(mail))?.[0] ?? assert.fail('no link')).pathname
}

async function waitingMails({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ jobs: number }>(
    `select count(*)::integer as jobs from graphile_worker.jobs where task_identifier = 'mail'`,
  )
  return rows[0]?.jobs ?? 0
}
