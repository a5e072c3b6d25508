import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { openThread, type ThreadLimits } from './thread.ts'
import { createPlaces } from './waiting-places.ts'
import type { Work } from '../../test/support/working-thread.ts'

const file = new URL('../../test/support/working-thread.ts', import.meta.url)
const patient: ThreadLimits = { timeoutMs: 60_000, maxHeapMb: 64 }
const never = new AbortController().signal

describe('a thread that can be ended', () => {
  const thread = openThread<Work, string>(file, { ...patient, maxWaiting: 2 })
  after(() => thread.close())

  it('answers one question after the other', async () => {
    const works: Work[] = [{ say: 'one' }, { say: 'two' }]
    assert.deepEqual(await Promise.all(works.map((work) => thread.ask(work, never))), [
      { type: 'answered', answer: 'one' },
      { type: 'answered', answer: 'two' },
    ])
  })

  it('refuses more questions than may wait', async () => {
    const asked = await Promise.all([1, 2, 3, 4].map((number) => thread.ask({ say: `${number}` }, never)))
    assert.deepEqual(asked.at(-1), { type: 'given up', why: 'busy' })
    assert.equal(asked.filter(({ type }) => type === 'answered').length, 3)
  })

  it('is ended at its deadline in the middle of its work, and another answers the next question', async () => {
    const hurried = openThread<Work, string>(file, { ...patient, timeoutMs: 1 })
    assert.deepEqual(await hurried.ask('work for ever', never), { type: 'given up', why: 'time' })
    await hurried.close()
    const stop = new AbortController()
    const asked = thread.ask('work for ever', stop.signal)
    stop.abort()
    assert.deepEqual(await asked, { type: 'given up', why: 'time' })
    assert.deepEqual(await thread.ask({ say: 'next' }, never), { type: 'answered', answer: 'next' })
  })

  it('is ended where it needs more memory than it may have, and another answers the next question', async () => {
    assert.deepEqual(await thread.ask('take all memory', never), { type: 'given up', why: 'memory' })
    assert.deepEqual(await thread.ask({ say: 'next' }, never), { type: 'answered', answer: 'next' })
  })

  it('tells a fault of its own', async () => {
    await assert.rejects(thread.ask('fail', never), /a fault/)
    assert.deepEqual(await thread.ask({ say: 'next' }, never), { type: 'answered', answer: 'next' })
  })

  it('knows nothing of the environment but where compiled code lies, which tests have like every start', async () => {
    const answer = 'NODE_COMPILE_CACHE'
    assert.deepEqual(await thread.ask('name the environment', never), { type: 'answered', answer })
  })

  it('answers nothing once it is closed', async () => {
    const closed = openThread<Work, string>(file, patient)
    await Promise.all([assert.rejects(closed.ask('work for ever', never), /ended/), closed.close()])
    await assert.rejects(closed.ask({ say: 'more' }, never), /ended/)
  })
})

describe('places for work', () => {
  it('are given to those who wait, in their order, and to no more than there is room for', async () => {
    const places = createPlaces({ atOnce: 1, maxWaiting: 1 })
    const { promise, resolve } = Promise.withResolvers<string>()
    const first = places.take(() => promise)
    const second = places.take(async () => 'second')
    assert.equal(await places.take(async () => 'third'), null)
    resolve('first')
    assert.deepEqual(await Promise.all([first, second]), ['first', 'second'])
    await assert.rejects(
      places.take(() => Promise.reject(new Error('no'))),
      /no/,
    )
    assert.equal(await places.take(async () => 'again'), 'again')
  })
})
