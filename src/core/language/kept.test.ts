import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { kept } from './kept.ts'

describe('values that are kept', () => {
  it('are computed once, 2,000 of them at most', () => {
    let made = 0
    const text = kept((number: number) => {
      made += 1
      return `${number}`
    })
    for (let round = 0; round < 2; round += 1)
      for (let number = 0; number < 2000; number += 1) assert.equal(text(number), `${number}`)
    assert.equal(made, 2000)
    text(2000)
    assert.deepEqual([text(2000), made], ['2000', 2001])
    text(0)
    assert.equal(made, 2002, 'what was kept before was let go')
  })

  it('may be false, and fewer', () => {
    const asked: number[] = []
    const isEven = kept((number: number) => {
      asked.push(number)
      return number % 2 === 0
    }, 2)
    assert.deepEqual([isEven(1), isEven(1), isEven(2), isEven(3), isEven(1)], [false, false, true, false, false])
    assert.deepEqual(asked, [1, 2, 3, 1])
  })
})
