// The order of refusals: 401, 429, 403, 404, 400/413/415, 422, 402 (docs/decisions/api-surface.md).
import { randomUUID } from 'node:crypto'
import { createMonitor } from '../monitors.ts'
import { addPayment } from '../payments.ts'
import { send } from '../paying.ts'
import { type Case, change, create, quote, renew, topUp, workspace } from './requests.ts'

const nobody = `pgk_${'x'.repeat(40)}`

export const refusingCases: readonly Case[] = [
  ['Order', 'credit without a token, for 49 cents', async (api) => api.post('/credits', tooLittle, { token: null })],
  ['Order', 'a renewal with a wrong token, of no monitor', async (api) => send(api, renew(nobody, randomUUID()))],
  ['Order', 'credit with a read token, for 49 cents', async (api) => send(api, topUp(api.readToken, 49))],
  [
    'Order',
    'a create with a read token, without a name',
    async (api) => send(api, create(api.readToken, { name: '' })),
  ],
  ['Order', 'a quote with a read token', async (api) => send(api, quote(create(api.readToken)))],
  ['Order', 'a renewal with a read token, of no monitor', async (api) => send(api, renew(api.readToken, randomUUID()))],
  [
    'Order',
    'a change of another workspace’s monitor, without a name',
    async (api) => {
      const [mine, theirs] = [await workspace(api, 'free'), await workspace(api, 'free')]
      return send(api, change(mine.token, (await createMonitor(api, {}, theirs.token)).id, { name: '' }))
    },
  ],
  [
    'Order',
    'a renewal of no monitor, with no JSON',
    async (api) => api.post(`/monitors/${randomUUID()}/renew`, undefined, { rawBody: '{' }),
  ],
  ['Order', 'credit, with no JSON', async (api) => api.post('/credits', undefined, { rawBody: '{' })],
  [
    'Order',
    'credit, as text',
    async (api) => api.post('/credits', tooLittle, { headers: { 'Content-Type': 'text/plain' } }),
  ],
  ['Order', 'a create that is neither valid nor paid', async (api) => send(api, create(null, { interval_seconds: 9 }))],
  [
    'Receipt',
    'of another workspace’s payment',
    async (api) => {
      const { workspaceId } = await workspace(api, 'free')
      const { id } = await addPayment(api.database, { workspaceId })
      return api.get(`/payments/${id}/receipt`)
    },
  ],
  ['Receipt', 'without a token', async (api) => api.get(`/payments/${randomUUID()}/receipt`, { token: null })],
]

const tooLittle = { amount_cents: 49 }
