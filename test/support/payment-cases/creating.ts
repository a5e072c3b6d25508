// The price of a create, and the reasons to refuse one.
import { createMonitor } from '../monitors.ts'
import { answerTo, challengeOf, market, pay, send } from '../paying.ts'
import { type Case, create, idOf, renew, three, workspace } from './requests.ts'

const dayMs = 24 * 3_600_000

export const creatingCases: readonly Case[] = [
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
    'Create 4',
    'with a token, a paid monitor every 10 seconds',
    async (api) => send(api, create((await workspace(api, 'pay_as_you_go', 50)).token, { interval_seconds: 10 })),
  ],
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
    'Create 5',
    'the same, and then the new challenge is answered',
    async (api) => {
      const request = create(null, {}, 'none again')
      await pay(api, request)
      return (await pay(api, request)).paid
    },
  ],
  [
    'Create 5',
    'another caller without a token sends the same body, neither with a key',
    async (api) => {
      const other = answerTo(challengeOf(await send(api, create(null))))
      await pay(api, create(null))
      return send(api, create(null), other)
    },
  ],
  [
    'Create 5',
    'the key of a monitor that was deleted',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go')
      const { paid } = await pay(api, create(token, {}, 'k'))
      await api.request('DELETE', `/monitors/${idOf(paid)}`, { token })
      return send(api, create(token, {}, 'k'))
    },
  ],
  [
    'Create 5',
    'the key again after 24 hours, with 49 cents of credit',
    async () => {
      const api = await market()
      const request = create(api.token, {}, 'k')
      await pay(api, request)
      api.pass(dayMs)
      return send(api, request)
    },
  ],
  [
    'Create 5',
    'the credential again after 24 hours, without a token',
    async () => {
      const api = await market()
      const { credential } = await pay(api, create(null))
      api.pass(dayMs)
      return send(api, create(null), credential)
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
]
