import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { Heap, type Timed } from './heap.ts'

it('gives items in the order of their time, whatever is added, moved and taken out between', () => {
  const step = fc.record({
    act: fc.constantFrom('place', 'remove', 'pop'),
    item: fc.nat({ max: 15 }),
    dueMs: fc.nat({ max: 50 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = new Heap<Timed>()
      const items = Array.from({ length: 16 }, (): Timed => ({ dueMs: 0, heapIndex: -1 }))
      const inside = new Set<Timed>()
      for (const { act, item: index, dueMs } of steps) {
        const item = act === 'pop' ? heap.peek() : items[index]
        if (item === undefined) continue
        if (act === 'place') {
          item.dueMs = dueMs
          heap.place(item)
          inside.add(item)
        } else {
          heap.remove(item)
          inside.delete(item)
          assert.equal(item.heapIndex, -1)
        }
        assert.equal(heap.size, inside.size)
        const earliest = inside.size === 0 ? undefined : Math.min(...[...inside].map((each) => each.dueMs))
        assert.equal(heap.peek()?.dueMs, earliest)
      }
      const left = [...inside].map((each) => each.dueMs).toSorted((one, other) => one - other)
      assert.deepEqual(emptied(heap), left)
    }),
  )
})

it('gives a hundred items in the order of their time', () => {
  const heap = new Heap<Timed>()
  const times = Array.from({ length: 100 }, (_, index) => (index * 37) % 100)
  for (const dueMs of times) heap.place({ dueMs, heapIndex: -1 })
  assert.deepEqual(
    emptied(heap),
    times.toSorted((one, other) => one - other),
  )
})

it('tells when an item was placed before all others', () => {
  let told = 0
  const heap = new Heap<Timed>(() => (told += 1))
  const first = { dueMs: 10, heapIndex: -1 }
  heap.place(first)
  heap.place({ dueMs: 20, heapIndex: -1 })
  assert.equal(told, 1)
  const last = { dueMs: 30, heapIndex: -1 }
  heap.place(last)
  last.dueMs = 5
  heap.place(last)
  assert.equal(told, 2)
})

function emptied(heap: Heap<Timed>): number[] {
  const times: number[] = []
  for (let item = heap.peek(); item !== undefined; item = heap.peek()) {
    heap.remove(item)
    times.push(item.dueMs)
  }
  return times
}
