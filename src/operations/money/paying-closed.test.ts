import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Transaction } from '#store/database/database.ts'
import { lockForMove, moveWorkspace } from '#store/people/workspace-moves.ts'
import { deleteWorkspace } from '#store/workspaces/workspace-removal.ts'
import type { Answer } from '../../../test/support/api.ts'
import { answerTo, challengeOf, market, problemOf, send } from '../../../test/support/paying.ts'
import { until } from '../../../test/support/until.ts'

const at = new Date()

/** The workspace ends as soon as it has such a row. */
const moments: [when: string, query: string][] = [
  ['at once', 'select where $1::uuid is not null'],
  ['with the first attempt', 'select from payment_attempts where workspace_id = $1 limit 1'],
  ['with the first payment', 'select from payments where workspace_id = $1 limit 1'],
  ['with the monitor', 'select from monitors where workspace_id = $1 limit 1'],
]
const roundsEach = 6

describe('a workspace that ends while it is paid for', async () => {
  const api = await market({ maxConnections: 12 })

  const ends: [how: string, end: (tx: Transaction, workspaceId: string) => Promise<unknown>][] = [
    [
      'is claimed',
      async (tx, fromId) => {
        const move = { fromId, toId: api.workspaceId, at }
        assert.ok(await lockForMove(tx, move))
        await moveWorkspace(tx, move)
      },
    ],
    ['is deleted', (tx, workspaceId) => deleteWorkspace(tx, { workspaceId, at })],
  ]

  for (const [how, end] of ends)
    it(
      `and ${how}: what was charged is credit or a monitor, and who asks is answered`,
      { timeout: 100_000 },
      async () => {
        for (const [when, query] of Array.from({ length: roundsEach }, () => moments).flat()) {
          const { workspaceId, token } = await api.addWorkspace('pay_as_you_go')
          const wishes = [
            { path: '/monitors', body: { name: 'Shop', url: 'https://example.com' }, token },
            { path: '/credits', body: { amount_cents: 60 }, token },
          ]
          const credentials = await Promise.all(
            wishes.map(async (wish) => ({ wish, credential: answerTo(challengeOf(await send(api, wish))) })),
          )
          const paying = [...credentials, ...credentials].map(({ wish, credential }) => send(api, wish, credential))
          await until(when, async () => (await api.database.pool.query(query, [workspaceId])).rowCount === 1)
          await api.database.transaction((tx) => end(tx, workspaceId))
          const answers = await Promise.all(paying)
          for (const answer of answers) assertEnded(answer, when)
        }
        const { rows } = await api.database.pool.query(
          `select
          (select sum(amount_cents) from payments) as paid,
          (select sum(credit_cents) from workspaces)
            - (select coalesce(sum(amount_cents), 0) from credit_transactions where reason = 'monitor') as found,
          (select count(*)::integer from payment_attempts where state = 'settling') as open`,
        )
        const [{ paid, found, open } = assert.fail()] = rows
        assert.deepEqual([found, open], [paid, 0])
      },
    )
})

/**
 * A request that is authenticated after the claim acts for the workspace that its key has moved to, and the challenge was
 * made for the former one.
 */
function assertEnded(answer: Answer, when: string): void {
  const { status, text } = answer
  if (status === 402) assert.equal(problemOf(answer), 'invalid-challenge', `${when}: ${text}`)
  else assert.ok([200, 201, 401, 503].includes(status), `${when}: ${status} ${text}`)
}
