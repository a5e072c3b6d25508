import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { it } from 'node:test'
import { createAdmission } from './admission.ts'

it('half of the places have to do while the process is late, but for those of calls', async () => {
  const two = { atOnce: 2, atOnceEach: 2 }
  const bounds = { reads: two, writes: two, long: two, agents: two, sign_in: two, pages: two, calls: two }
  const { within, counts } = createAdmission({ bounds, loop: { isLate: () => true } })
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const asked = ['reads', 'reads', 'pages', 'calls', 'calls'] as const
  const all = asked.map((surface) => within({ surface, caller: 'a' }, () => end))
  await turn()
  const { reads, pages, calls } = counts()
  const running = { running: 1, waiting: 0 }
  assert.deepEqual(
    { reads, pages, calls },
    {
      reads: { running: 1, waiting: 1 },
      pages: running,
      calls: { running: 2, waiting: 0 },
    },
  )
  resolve()
  await Promise.all(all)
  assert.deepEqual(counts().reads, { running: 0, waiting: 0 })
})
