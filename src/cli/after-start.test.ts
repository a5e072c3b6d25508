import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { pause } from '../../test/support/pause.ts'
import { until } from '../../test/support/until.ts'
import { collectAfterStart, collectAll } from './after-start.ts'

describe('the memory that a start took', () => {
  it('is given back once, a while later', async () => {
    const collect = mock.fn()
    collectAfterStart({ afterMs: 1, collect })
    await until('a collection', () => collect.mock.callCount() > 0)
    await pause(20)
    assert.equal(collect.mock.callCount(), 1)
  })

  it('stays where the process ends before', async () => {
    const collect = mock.fn()
    const callOff = collectAfterStart({ afterMs: 1, collect })
    callOff()
    await pause(20)
    assert.equal(collect.mock.callCount(), 0)
  })

  it('is that of everything to which nothing refers', async () => {
    const old = grownOld()
    await until('the objects to be gone', () => {
      collectAll()
      return old.every((each) => each.deref() === undefined)
    })
  })
})

/** Objects that have outlived the young generation. */
function grownOld(): WeakRef<object>[] {
  const objects = Array.from({ length: 100 }, () => ({ bytes: new Uint8Array(10) }))
  collectAll()
  return objects.map((each) => new WeakRef(each))
}
