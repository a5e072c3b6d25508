import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manyFaults, noFaults } from './faults.ts'
import { optionsOf } from './seeds.ts'
import { assertHeld, run } from './simulate.ts'

const installation = { hours: 0.25, monitors: 20, called: 6, engines: 3, locations: 3 }

describe('the whole way from schedule to alert', () => {
  it('is the same for the same seed, to the byte', async () => {
    const faulty = { ...installation, faults: manyFaults }
    const once = await run(1, faulty)
    assertHeld(1, once)
    assert.equal(once.digest, (await run(1, faulty)).digest)
    assert.notEqual(once.digest, (await run(2, faulty)).digest)
  })

  it('comes right by itself when nothing goes wrong, and finds outages', async () => {
    const simulated = await run(3, { ...installation, faults: noFaults })
    assertHeld(3, simulated)
    assert.ok(simulated.incidents > 10, `${simulated.incidents} incidents`)
  })

  for (const seed of [1, 2, 3, 4])
    it(`holds with seed ${seed}, whatever goes wrong`, async () => {
      assertHeld(seed, await run(seed, { ...optionsOf(seed), hours: 0.25 }))
    })
})
