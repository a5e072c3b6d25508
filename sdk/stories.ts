// What the SDK does with a running service, story by story. test/references/sdk.test.ts compiles and plays them against the
// packed SDK; each gets what it needs from there.
import assert from 'node:assert/strict'
import {
  credentialFor,
  NotFoundError,
  PaymentRequiredError,
  Perigee,
  UnauthorizedError,
  ValidationError,
  verifyWebhook,
  WebhookError,
} from '@perigee/sdk'

export type World = {
  url: string
  token: string
  /** The same service, by a way that loses the first answer and breaks the connection. */
  lossyUrl: string
  /** How many connections the lossy way has let in. */
  admitted: () => number
  /** Where a webhook is listened to, and its next message once that has come. */
  receiverUrl: string
  received: (type: string) => Promise<{ headers: Record<string, string | string[] | undefined>; body: string }>
}

const nowhere = 'http://127.0.0.1:9/'

export async function createsReadsChangesAndDeletes({ url, token }: World): Promise<void> {
  const perigee = new Perigee({ url: `${url}/`, token })
  const { data: created } = await perigee.monitors.create({
    name: 'Port',
    kind: 'tcp',
    url: '127.0.0.1:9',
    check_options: { expected_text: 'ready' },
  })
  assert.equal(created.kind, 'tcp')
  const { data: changed } = await perigee.monitors.update(created.id, { name: 'Port 9', interval_seconds: 600 })
  assert.deepEqual([changed.name, changed.interval_seconds], ['Port 9', 600])
  const { data: paused } = await perigee.monitors.pause(created.id)
  assert.equal(paused.status, 'paused')
  assert.equal(await perigee.monitors.delete(created.id), undefined)
  await assert.rejects(perigee.monitors.get(created.id), (error) => {
    assert.ok(error instanceof NotFoundError)
    assert.deepEqual([error.status, error.code], [404, 'not_found'])
    assert.match(String(error.requestId), /^[\da-f-]{36}$/)
    return true
  })
}

export async function saysWhichFieldsAreWrong({ url, token }: World): Promise<void> {
  const perigee = new Perigee({ url, token })
  await assert.rejects(perigee.monitors.create({ name: 'Shop', url: nowhere, interval_seconds: 1 }), (error) => {
    assert.ok(error instanceof ValidationError)
    assert.equal(error.code, 'validation_failed')
    assert.deepEqual(Object.keys(error.fields), ['interval_seconds'])
    return true
  })
  const wrong = new Perigee({ url, token: `pgk_${'b'.repeat(40)}` })
  await assert.rejects(wrong.account.get(), (error) => error instanceof UnauthorizedError)
}

/** What the compiler refuses, the service refuses too. */
export async function typesTellWhatAKindTakes({ url, token }: World): Promise<void> {
  const { monitors, alertChannels } = new Perigee({ url, token })
  const options = { json_path: 'a' }
  const refused = [
    // @ts-expect-error A monitor of this kind has no such option.
    () => monitors.create({ name: 'Port', kind: 'tcp', url: '127.0.0.1:9', check_options: options }),
    // @ts-expect-error A monitor of the usual kind has a URL.
    () => monitors.create({ name: 'Port' }),
    // @ts-expect-error There is no such kind of contact.
    () => alertChannels.create({ name: 'Bird', kind: 'pigeon', destination: 'roof' }),
    // @ts-expect-error Telegram takes options.
    () => alertChannels.create({ name: 'Chat', kind: 'telegram', destination: '1' }),
    // @ts-expect-error There is no such member.
    () => monitors.list({ fields: ['colour'] }),
  ]
  for (const call of refused) await assert.rejects(call, (error) => error instanceof ValidationError)
  const { data } = await monitors.list({ fields: ['id'] })
  // @ts-expect-error Only what was asked for is there.
  for (const { name } of data) assert.equal(name, undefined)
}

export async function readsAllPages({ url, token }: World): Promise<void> {
  const perigee = new Perigee({ url, token })
  const names = Array.from({ length: 5 }, (_, index) => `Page ${index}`)
  const ids: string[] = []
  for (const name of names) {
    const { data } = await perigee.monitors.create({ name, kind: 'heartbeat', interval_seconds: 3600 })
    ids.push(data.id)
  }
  const found: string[] = []
  for await (const { name } of perigee.monitors.listAll({ name: 'Page', limit: 2, fields: ['name'] })) found.push(name)
  assert.deepEqual(found, names)
  const { data, next_cursor: cursor } = await perigee.monitors.list({ kind: ['heartbeat', 'group'], limit: 2 })
  assert.equal(data.length, 2)
  assert.equal(typeof cursor, 'string')
  await Promise.all(ids.map((id) => perigee.monitors.delete(id)))
}

/** The service makes the monitor, and its answer is lost: the repeat has the same key, so there is one monitor. */
export async function createsOnceThoughTheAnswerIsLost({ url, token, lossyUrl, admitted }: World): Promise<void> {
  const lossy = new Perigee({ url: lossyUrl, token })
  const before = admitted()
  const { data } = await lossy.monitors.create({ name: 'Once', url: nowhere })
  assert.equal(admitted() - before, 2)
  const perigee = new Perigee({ url, token })
  const { data: found } = await perigee.monitors.list({ name: 'Once' })
  assert.deepEqual(
    found.map(({ id }) => id),
    [data.id],
  )
  await perigee.monitors.delete(data.id)
}

export async function refusesAnotherBodyUnderTheSameKey({ url, token }: World): Promise<void> {
  const perigee = new Perigee({ url, token })
  const idempotencyKey = crypto.randomUUID()
  const { data: first } = await perigee.monitors.create({ name: 'First', url: nowhere }, { idempotencyKey })
  const { data: again } = await perigee.monitors.create({ name: 'First', url: nowhere }, { idempotencyKey })
  assert.equal(again.id, first.id)
  await assert.rejects(perigee.monitors.create({ name: 'Second', url: nowhere }, { idempotencyKey }), (error) => {
    assert.ok(error instanceof ValidationError)
    assert.equal(error.code, 'idempotency_key_reused')
    return true
  })
  await perigee.monitors.delete(first.id)
}

export async function paysInTheSandbox({ url }: World): Promise<void> {
  const stranger = new Perigee({ url })
  const idempotencyKey = crypto.randomUUID()
  const asked: unknown = await stranger.monitors
    .create({ name: 'Paid', url: nowhere }, { idempotencyKey })
    .catch((error: unknown) => error)
  assert.ok(asked instanceof PaymentRequiredError)
  assert.deepEqual([asked.code, asked.status], ['payment_required', 402])
  assert.match(String(asked.amountDue), /^\d+\.\d\d$/)
  const [card] = asked.challenges
  assert.ok(card)
  assert.deepEqual([card.method, card.intent], ['card', 'charge'])
  assert.equal(typeof card.request, 'object')
  const declined = credentialFor(card, { spt: 'spt_test_declined' })
  const refused: unknown = await stranger.monitors
    .create({ name: 'Paid', url: nowhere }, { idempotencyKey, payment: declined })
    .catch((error: unknown) => error)
  assert.ok(refused instanceof PaymentRequiredError)
  const [fresh] = refused.challenges
  assert.ok(fresh)
  const payment = credentialFor(fresh, { spt: 'spt_test_ok' })
  const { data, api_key: token } = await stranger.monitors.create(
    { name: 'Paid', url: nowhere },
    { idempotencyKey, payment },
  )
  const { data: own } = await new Perigee({ url, token }).monitors.get(data.id)
  assert.equal(own.name, 'Paid')
}

export async function readsMetricsAsText({ url, token }: World): Promise<void> {
  assert.match(await new Perigee({ url, token }).metrics.read(), /^# /)
}

export async function verifiesWhatAWebhookGets({ url, token, receiverUrl, received }: World): Promise<void> {
  const perigee = new Perigee({ url, token })
  const { data: contact, signing_secret: secret } = await perigee.alertChannels.create({
    name: 'Hook',
    kind: 'webhook',
    destination: receiverUrl,
  })
  assert.ok(secret)
  await perigee.alertChannels.test(contact.id)
  const test = await received('test')
  const verified = await verifyWebhook(test.body, test.headers, secret)
  assert.deepEqual(verified, JSON.parse(test.body))
  const { data: monitor } = await perigee.monitors.create({ name: 'Hooked', url: nowhere, failure_threshold: 1 })
  const told = await received('monitor.down')
  const alert = await verifyWebhook(new TextEncoder().encode(told.body), new Headers(textsOf(told)), secret)
  assert.ok(alert.type === 'monitor.down')
  assert.deepEqual([alert.data.monitor.id, alert.data.incident.status], [monitor.id, 'open'])
  const { data: incident } = await perigee.incidents.acknowledge(alert.data.incident.id)
  assert.equal(incident.status, 'acknowledged')
  const other = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
  const changed = { ...told, body: told.body.replace('Hooked', 'Hacked') }
  for (const [body, secrets, code] of [
    [told.body, other, 'wrong_signature'],
    [changed.body, secret, 'wrong_signature'],
  ] as const)
    await assert.rejects(verifyWebhook(body, told.headers, secrets), (error) => {
      assert.ok(error instanceof WebhookError)
      assert.equal(error.code, code)
      return true
    })
  await verifyWebhook(told.body, told.headers, [other, secret])
  await perigee.monitors.delete(monitor.id)
  await perigee.alertChannels.delete(contact.id)
}

function textsOf({ headers }: { headers: Record<string, string | string[] | undefined> }): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
