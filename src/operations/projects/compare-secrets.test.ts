import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'

const made = z.object({ data: z.object({ id: z.string() }) })
const idOf = ({ body }: { body: unknown }): string => made.parse(body).data.id

type Asked = { section: string; id: string; secrets: { path: string[]; value: unknown }[] }
type Secret = [section: string, id: string, path: string[], value: unknown]

const one = ([section, id, path, value]: Secret): Asked => ({ section, id, secrets: [{ path, value }] })

describe('secrets are compared', async () => {
  const api = await testApi()
  const monitor = await createMonitor(api, { request_headers: { Authorization: 'Bearer one' } })
  const slack = idOf(
    await api.post('/alert-channels', {
      name: 'Slack',
      kind: 'slack',
      destination: 'https://hooks.slack.com/services/T1/B1/x',
    }),
  )
  const telegram = idOf(
    await api.post('/alert-channels', {
      name: 'Telegram',
      kind: 'telegram',
      destination: '-1001',
      options: { token: '123456:AAHnDX0pfLqzGkQvE2yIuJm4oRtWb8cYsZ1' },
    }),
  )
  const page = idOf(
    await api.post('/status-pages', { slug: 'shop', title: 'Shop', visibility: 'password', password: 'open sesame' }),
  )
  const ask = (objects: Asked[], token = api.token) => api.post('/export/compare-secrets', { objects }, { token })
  const held: Secret[] = [
    ['monitors', monitor.id, ['request_headers', 'Authorization'], 'Bearer one'],
    ['contacts', slack, ['destination'], 'https://hooks.slack.com/services/T1/B1/x'],
    ['contacts', telegram, ['options', 'token'], '123456:AAHnDX0pfLqzGkQvE2yIuJm4oRtWb8cYsZ1'],
    ['status_pages', page, ['password'], 'open sesame'],
  ]

  it('and those that are the same are not named', async () => {
    const { status, body } = await ask(held.map(one))
    assert.deepEqual([status, body], [200, { data: [] }])
  })

  it('and those that are others are named without their values', async () => {
    const { body } = await ask(held.map(([section, id, path]) => one([section, id, path, 'another'])))
    assert.deepEqual(body, { data: held.map(([section, id, path]) => ({ section, id, differ: [path] })) })
  })

  it('and what is not there, or of another workspace, differs', async () => {
    const other = await api.addWorkspace()
    const foreign = await createMonitor(api, { request_headers: { a: 'b' } }, other.token)
    const asked = [
      one(['monitors', foreign.id, ['request_headers', 'a'], 'b']),
      one(['monitors', randomUUID(), ['request_headers', 'a'], 'b']),
      one(['monitors', monitor.id, ['request_headers', 'constructor'], 'b']),
      one(['contacts', telegram, ['options', 'token', 'length'], 46]),
    ]
    assert.deepEqual((await ask(asked)).body, {
      data: asked.map(({ section, id, secrets }) => ({ section, id, differ: secrets.map(({ path }) => path) })),
    })
  })

  it('by those who could set them, and one guess at a time', async () => {
    const asked = one(['monitors', monitor.id, ['request_headers', 'Authorization'], 'Bearer one'])
    assert.deepEqual(refusalOf(await ask([asked], api.readToken)), [403, 'insufficient_scope'])
    assert.equal((await ask([asked, asked])).status, 422)
    assert.equal((await ask([{ ...asked, secrets: [...asked.secrets, ...asked.secrets] }])).status, 422)
  })
})
