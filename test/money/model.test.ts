// Money in any order of events: payers, repeats, the clock, and a process that dies anywhere.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { commands, settleUp } from './commands.ts'
import type { Payer } from './wishes.ts'
import { createWorlds } from './world.ts'

const isLong = process.env['PERIGEE_TEST_LONG'] !== undefined
const limitMs = isLong ? 1_200_000 : 40_000

describe('money, whatever happens', () => {
  it(
    'is charged once, credited to the cent, and never taken for nothing',
    { timeout: limitMs + 90_000 },
    async (test) => {
      const createWorld = await createWorlds()
      const tally = { runs: 0, wishes: 0, fulfilled: 0, charges: 0, deaths: 0 }
      await fc.assert(
        fc.asyncProperty(commands, async (sequence) => {
          const payer: Payer = { wishes: [], monitors: [] }
          const world = await createWorld()
          await fc.asyncModelRun(() => ({ model: payer, real: world }), sequence)
          await settleUp(payer, world)
          tally.runs += 1
          tally.wishes += payer.wishes.length
          tally.fulfilled += payer.wishes.filter(({ isDone }) => isDone).length
          tally.charges += world.bank.charges().length
          tally.deaths += world.deaths()
        }),
        { interruptAfterTimeLimit: limitMs, numRuns: 1_000_000, endOnFailure: !isLong },
      )
      test.diagnostic(JSON.stringify(tally))
      // A slow machine gets through few sequences, and a few may have little in them.
      assert.ok(tally.runs > 0)
      for (const [what, number] of Object.entries(tally)) assert.ok(tally.runs < 5 || number > 0, what)
    },
  )
})
