import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type Answer, testApi } from '../../test/support/api.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import {
  type Market,
  type PaidRequest,
  answerTo,
  challengeOf,
  market,
  pay,
  receiptOf,
  send,
  spendAll,
} from '../../test/support/paying.ts'
import { addPayment } from '../../test/support/payments.ts'

const site = { name: 'Shop', url: 'https://example.com' }
const three = ['amsterdam', 'boston', 'chennai']
const quarterHourMs = 15 * 60_000

/** A workspace of the plan, with this credit. */
async function workspace(api: Market, plan: string, creditCents = 0): Promise<{ token: string; workspaceId: string }> {
  const made = await api.addWorkspace(plan)
  if (creditCents > 0) await addPayment(api.database, { workspaceId: made.workspaceId, amountCents: creditCents })
  return made
}

const create = (token: string | null, input: object = {}, key?: string): PaidRequest => ({
  path: '/monitors',
  body: { ...site, ...input },
  token,
  ...(key === undefined ? {} : { key }),
})
const renew = (token: string, id: string): PaidRequest => ({ path: `/monitors/${id}/renew`, token })
const change = (token: string, id: string, input: object): PaidRequest => ({
  method: 'PATCH',
  path: `/monitors/${id}`,
  body: { name: 'Shop', ...input },
  token,
})
const topUp = (token: string, amountCents: number): PaidRequest => ({
  path: '/credits',
  body: { amount_cents: amountCents },
  token,
})

type Case = [rule: string, request: string, play: (api: Market) => Promise<Answer>]

/** Specification, Rules for create, Endpoints and Payments; the last column of the table is what the API answered. */
const cases: Case[] = [
  ['Create 1', 'create with a free plan slot', async (api) => send(api, create((await workspace(api, 'free')).token))],
  [
    'Create 1',
    'create for life with a free plan slot',
    async (api) => send(api, create((await workspace(api, 'free')).token, { billing_period: 'lifetime' })),
  ],
  [
    'Create 2',
    'create with 3 locations, 50 cents of credit',
    async (api) => send(api, create((await workspace(api, 'pay_as_you_go', 50)).token, { locations: three })),
  ],
  [
    'Create 2',
    'create for life with 3 locations, 50 cents of credit',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 50)
      return send(api, create(token, { locations: three, billing_period: 'lifetime' }))
    },
  ],
  [
    'Create 3',
    'create with 3 locations, no credit',
    async (api) => send(api, create((await workspace(api, 'pay_as_you_go')).token, { locations: three })),
  ],
  [
    'Create 3',
    'the same for life, 1 cent of credit',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 1)
      return send(api, create(token, { locations: three, billing_period: 'lifetime' }))
    },
  ],
  [
    'Create 3',
    'the same, paid',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 1)
      return (await pay(api, create(token, { locations: three, billing_period: 'lifetime' }))).paid
    },
  ],
  ['Create 4', 'create without a token', async (api) => send(api, create(null))],
  ['Create 4', 'the same, paid', async (api) => (await pay(api, create(null))).paid],
  ['Create 4', 'without a token, every 59 seconds', async (api) => send(api, create(null, { interval_seconds: 59 }))],
  [
    'Create 4',
    'without a token, a group',
    async (api) => send(api, create(null, { kind: 'group', check_options: { member_ids: [crypto.randomUUID()] } })),
  ],
  ['Create 4', 'with a wrong token', async (api) => send(api, create(`pgk_${'x'.repeat(40)}`))],
  [
    'Create 5',
    'paid create repeated with its Idempotency-Key',
    async (api) => {
      const request = create((await workspace(api, 'pay_as_you_go')).token, {}, 'k')
      await pay(api, request)
      return send(api, request)
    },
  ],
  [
    'Create 5',
    'the key with another body',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go')
      await pay(api, create(token, {}, 'k'))
      return send(api, create(token, { locations: three }, 'k'))
    },
  ],
  [
    'Create 5',
    'paid create without a token repeated with the same credential',
    async (api) => {
      const { credential } = await pay(api, create(null, {}, 'lost'))
      return send(api, create(null, {}, 'lost'), credential)
    },
  ],
  [
    'Create 5',
    'the same with the credential of another challenge',
    async (api) => {
      const request = create(null, {}, 'other')
      const other = answerTo(challengeOf(await send(api, request)))
      await pay(api, request)
      return send(api, request, other)
    },
  ],
  [
    'Create 5',
    'the same key without a token and without a credential',
    async (api) => {
      const request = create(null, {}, 'none')
      await pay(api, request)
      return send(api, request)
    },
  ],
  [
    'Create 6',
    'create with all 10 slots taken, after one was deleted',
    async (api) => {
      const { token } = await workspace(api, 'free')
      const made = []
      for (let slot = 0; slot < 10; slot += 1) made.push(await createMonitor(api, {}, token))
      await api.request('DELETE', `/monitors/${made[0]?.id}`, { token })
      return send(api, create(token))
    },
  ],
  [
    'Create 6',
    'GET /account after deleting a paid monitor',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 50)
      const { id } = await createMonitor(api, {}, token)
      await api.request('DELETE', `/monitors/${id}`, { token })
      return api.get('/account', { token })
    },
  ],
  [
    'Create 7',
    'renew early from credit',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 50)
      return send(api, renew(token, (await createMonitor(api, {}, token)).id))
    },
  ],
  [
    'Renew',
    'renew without credit',
    async (api) => {
      const { token, workspaceId } = await workspace(api, 'pay_as_you_go')
      const { paid } = await pay(api, create(token))
      await spendAll(api, workspaceId)
      return send(api, renew(token, idOf(paid)))
    },
  ],
  [
    'Renew',
    'renew a monitor that is paid for life',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 50)
      return send(api, renew(token, (await createMonitor(api, { billing_period: 'lifetime' }, token)).id))
    },
  ],
  [
    'Change',
    'add 2 locations to a paid monitor, no credit',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 10)
      const { id } = await createMonitor(api, { billing_period: 'lifetime' }, token)
      return send(api, change(token, id, { locations: three }))
    },
  ],
  [
    'Change',
    'the same, paid',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 10)
      const { id } = await createMonitor(api, { billing_period: 'lifetime' }, token)
      return (await pay(api, change(token, id, { locations: three }))).paid
    },
  ],
  [
    'Change',
    'remove locations and add them again',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 3)
      const { id } = await createMonitor(api, { locations: three }, token)
      await send(api, change(token, id, { locations: ['boston'] }))
      return send(api, change(token, id, { locations: three }))
    },
  ],
  ['Top-up', '500 cents', async (api) => send(api, topUp((await workspace(api, 'free')).token, 500))],
  [
    'Top-up',
    '500 cents with 1,000 cents of credit',
    async (api) => send(api, topUp((await workspace(api, 'free', 1000)).token, 500)),
  ],
  ['Top-up', 'the same, paid', async (api) => (await pay(api, topUp((await workspace(api, 'free')).token, 500))).paid],
  [
    'Top-up',
    'the same credential again',
    async (api) => {
      const request = topUp((await workspace(api, 'free')).token, 500)
      const { credential } = await pay(api, request)
      return send(api, request, credential)
    },
  ],
  ['Top-up', '49 cents', async (api) => send(api, topUp((await workspace(api, 'free')).token, 49))],
  [
    'Top-up',
    '500 cents while payments are off',
    async () => {
      const off = await testApi()
      return off.post('/credits', { amount_cents: 500 })
    },
  ],
  ['Payment', 'a credential that cannot be read', async (api) => send(api, create(null), 'e30')],
  [
    'Payment',
    'the credential of another request',
    async (api) => send(api, create(null, { locations: three }), answerTo(challengeOf(await send(api, create(null))))),
  ],
  [
    'Payment',
    'a credential whose challenge has expired',
    async (api) => {
      const credential = answerTo(challengeOf(await send(api, create(null, {}, 'late'))))
      api.pass(quarterHourMs)
      return send(api, create(null, {}, 'late'), credential)
    },
  ],
  [
    'Payment',
    'a card that is declined',
    async (api) => (await pay(api, create(null, {}, 'declined'), 'spt_test_declined')).paid,
  ],
  [
    'Payment',
    'a processor that does not answer',
    async (api) => (await pay(api, create(null, {}, 'slow'), 'spt_test_timeout')).paid,
  ],
  [
    'Payment',
    'the same credential again',
    async (api) => {
      const { credential } = await pay(api, create(null, {}, 'slower'), 'spt_test_timeout')
      return send(api, create(null, {}, 'slower'), credential)
    },
  ],
  [
    'Quote',
    'a create with the key of one that is done',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go')
      await pay(api, create(token, {}, 'k'))
      return send(api, { ...create(token, {}, 'k'), path: '/monitors/quote' })
    },
  ],
  ['Quote', 'a create without a token', async (api) => send(api, { ...create(null), path: '/monitors/quote' })],
]

describe('the table of payment rules', async () => {
  const api = await market()

  it('in docs/payments.md says of every case what the API answers', { timeout: 120_000 }, async () => {
    const rows: string[][] = []
    for (const [rule, request, play] of cases) rows.push([rule, request, told(await play(api))])
    const text = readFileSync(new URL('../../docs/payments.md', import.meta.url), 'utf8')
    const written = text
      .slice(text.indexOf('<!-- cases -->'), text.indexOf('<!-- end of cases -->'))
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
    assert.deepEqual(written, rows, rows.map((row) => `| ${row.join(' | ')} |`).join('\n'))
  })
})

const body = z.looseObject({
  error: z.string().optional(),
  type: z.string().optional(),
  amount_due: z.string().optional(),
  fields: z.record(z.string(), z.unknown()).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  api_key: z.string().optional(),
})
const monitorMembers = ['billing', 'billing_period', 'paid_locations', 'paid_until', 'price_cents', 'amount_due_cents']

/** An answer in few words. */
function told(answer: Answer): string {
  const { error, type, amount_due: due, fields, data, api_key: key } = body.parse(answer.body)
  const amount = answer.status === 402 ? String(challengeOf(answer).request['amount']) : null
  const words = [
    String(answer.status),
    ...(type === undefined ? (error === undefined ? [] : [`\`${error}\``]) : [`\`${type.split('/').at(-1)}\``]),
    ...(fields === undefined ? [] : [`on \`${Object.keys(fields).join('`, `')}\``]),
    ...(due === undefined ? [] : [`$${due} due`]),
    ...(amount === null ? [] : [`card charges ${amount} cents`]),
    ...(data === undefined ? [] : tellData(data)),
    ...(key === undefined ? [] : ['with `api_key`']),
    ...(receiptOf(answer) === null ? [] : ['with `Payment-Receipt`']),
  ]
  return words.join(', ')
}

function tellData(data: Record<string, unknown>): string[] {
  if ('credit_cents' in data && 'plan' in data) return [`${String(data['credit_cents'])} cents of credit`]
  return monitorMembers.flatMap((member) => {
    const value = data[member]
    if (typeof value === 'string') return [`${member} ${value.slice(0, 10)}`]
    return typeof value === 'number' && value > 0 ? [`${member} ${value}`] : []
  })
}

function idOf(answer: Answer): string {
  return String(body.parse(answer.body).data?.['id'])
}
