// The price of existing monitors: renewals and changes.
import assert from 'node:assert/strict'
import { renewMonitors } from '#jobs/money/renewals.ts'
import { createMonitor } from '../monitors.ts'
import { type Market, market, pay, send, spendAll } from '../paying.ts'
import { type Case, change, create, idOf, renew, three, workspace } from './requests.ts'

const dayMs = 24 * 3_600_000

export const keepingCases: readonly Case[] = [
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
    'the same, paid',
    async (api) => {
      const { token, workspaceId } = await workspace(api, 'pay_as_you_go')
      const { paid } = await pay(api, create(token))
      await spendAll(api, workspaceId)
      return (await pay(api, renew(token, idOf(paid)))).paid
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
    'Renew',
    'renew a monitor in a plan slot',
    async (api) => {
      const { token } = await workspace(api, 'free')
      return send(api, renew(token, (await createMonitor(api, {}, token)).id))
    },
  ],
  [
    'Renew',
    'renew within the 7 days after the end, paid',
    async () => {
      const { api, id } = await unpaid(36)
      return (await pay(api, renew(api.token, id))).paid
    },
  ],
  [
    'Renew',
    'resume a monitor that is paused for non-payment',
    async () => {
      const { api, id } = await unpaid(38)
      return api.post(`/monitors/${id}/resume`)
    },
  ],
  [
    'Renew',
    'renew a monitor that is paused for non-payment, paid',
    async () => {
      const { api, id } = await unpaid(38)
      return (await pay(api, renew(api.token, id))).paid
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
  [
    'Change',
    'add 2 locations to a monthly monitor, 50 cents of credit',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 50)
      return send(api, change(token, (await createMonitor(api, {}, token)).id, { locations: three }))
    },
  ],
  [
    'Change',
    'add 2 locations to a monitor in a plan slot',
    async (api) => {
      const { token } = await workspace(api, 'free')
      return send(api, change(token, (await createMonitor(api, {}, token)).id, { locations: three }))
    },
  ],
  [
    'Change',
    'from monthly to lifetime',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 50)
      return send(api, change(token, (await createMonitor(api, {}, token)).id, { billing_period: 'lifetime' }))
    },
  ],
]

/** So many days after a monthly monitor was paid for, without credit; 30 of them are paid. */
async function unpaid(days: number): Promise<{ api: Market; id: string }> {
  const api = await market()
  const { paid } = await pay(api, create(api.token))
  await spendAll(api, api.workspaceId)
  api.pass(days * dayMs)
  const { payments } = api.services
  assert.ok(payments !== null)
  const log = { debug() {}, info() {}, warn: assert.fail, error: assert.fail }
  await renewMonitors({ database: api.database, log, now: payments.now }, new AbortController().signal)
  return { api, id: idOf(paid) }
}
