// Requests that were recorded or written down become transactions which make them again, with tokens of their own.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readHar } from '#core/imports/har/har.ts'
import type { ImportedMonitorInput } from '#core/imports/imported.ts'
import { readPostman } from '#core/imports/postman/postman.ts'
import { kinds } from '#kinds/index.ts'
import { checkOnce } from './support/check.ts'
import { harEntry, harOf } from './support/har-example.ts'
import { postmanExample } from './support/postman-example.ts'
import { shopAccount, startShopSite } from './support/shop-site.ts'

/** Asks as a browser does, and writes down what it asked and got. */
function startRecorder(site: string) {
  const entries: object[] = []
  let cookie = ''
  return {
    entries,
    async ask(path: string, sent: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
      const { method = 'GET', headers = {}, body } = sent
      const all = { ...headers, ...(cookie === '' ? {} : { cookie }) }
      const answer = await fetch(site + path, { method, headers: all, redirect: 'manual', body: body ?? null })
      const text = await answer.text()
      const mimeType = answer.headers.get('content-type') ?? ''
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
      const form = body === undefined ? undefined : { mimeType: headers['content-type'] ?? '', text: body }
      entries.push(
        harEntry(
          site + path,
          { method, type: '', headers: all, ...(form === undefined ? {} : { form }) },
          { status: answer.status, mimeType, text, redirectURL: answer.headers.get('location') ?? '' },
        ),
      )
      return text
    },
  }
}

async function check({ kind, url }: ImportedMonitorInput, options: unknown) {
  assert.ok((kind === 'transaction' || kind === 'micro_transaction') && typeof url === 'string')
  const verdict = await checkOnce(kinds[kind], { url, options: kinds[kind].options.parse(options) })
  return [verdict.status, verdict.error]
}

describe('a visit that was recorded', async () => {
  const { url } = await startShopSite()
  const recorder = startRecorder(url)
  const page = await recorder.ask('/')
  await recorder.ask('/shop.css')
  const formKey = /value="(\w+)"/.exec(page)?.[1] ?? ''
  await recorder.ask('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...shopAccount, form_key: formKey }).toString(),
  })
  await recorder.ask('/cart')
  const { access } = JSON.parse(await recorder.ask('/api/session'))
  const order = await recorder.ask('/api/orders', {
    method: 'POST',
    headers: { authorization: `Bearer ${access.token}`, 'content-type': 'application/json' },
    body: '{"item":7}',
  })
  await recorder.ask(`/api/orders/${JSON.parse(order).id}`)
  const [monitor = assert.fail()] = readHar(harOf(recorder.entries), (host) => host).monitors

  it('keeps the password apart from the steps', () => {
    const { steps, secrets } = Object(monitor.input.check_options)
    assert.ok(!JSON.stringify(steps).includes('correct'))
    assert.deepEqual(secrets, [{ name: 'password', value: shopAccount.password }])
  })

  it('succeeds as often as it is made', async () => {
    for (const _ of [1, 2]) assert.deepEqual(await check(monitor.input, monitor.input.check_options), ['up', null])
  })

  it('fails without the password', async () => {
    const { steps } = Object(monitor.input.check_options)
    assert.deepEqual(await check(monitor.input, { steps }), [
      'down',
      'Step 2 (POST /login): HTTP status 403, expected 200',
    ])
  })
})

describe('a collection of Postman', async () => {
  const { url } = await startShopSite()

  it('succeeds as often as it is made', async () => {
    const [{ input } = assert.fail()] = readPostman([postmanExample(url)]).monitors
    for (const _ of [1, 2]) assert.deepEqual(await check(input, input.check_options), ['up', null])
  })
})
