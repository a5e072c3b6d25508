import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { httpServer } from '../../../test/support/http-server.ts'
import { pacedService } from './paced-service.ts'

type Answer = { status: number; headers?: Record<string, string>; body?: unknown } | 'cut'

async function ask(answers: readonly Answer[], times = 1) {
  const left = [...answers]
  const seen: number[] = []
  const { port } = await httpServer((request, response) => {
    seen.push(Date.now())
    const answer = left.shift() ?? 'cut'
    if (answer === 'cut') request.socket.destroy()
    else response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body ?? {}))
  })
  const waits: number[] = []
  const root = new URL(`http://127.0.0.1:${port}/api/v1/`)
  const service = pacedService({ root, token: 'pgk_x' }, (seconds) => waits.push(seconds))
  const outcomes = []
  for (let at = 0; at < times; at += 1) outcomes.push(await service.ask({ method: 'POST', path: 'monitors', body: {} }))
  return { outcomes, waits, gaps: seen.slice(1).map((time, at) => time - (seen[at] ?? 0)) }
}

describe('a paced service', { concurrency: true }, () => {
  it('waits until the window ends before it asks for one too many', async () => {
    const spent = { 'ratelimit-remaining': '0', 'ratelimit-reset': '2' }
    const { outcomes, waits, gaps } = await ask([{ status: 201, headers: spent }, { status: 201 }], 2)
    assert.deepEqual(
      outcomes.map(({ type }) => type),
      ['done', 'done'],
    )
    assert.deepEqual(waits, [2])
    assert.ok((gaps[0] ?? 0) >= 1990, String(gaps))
  })

  it('waits as long as a refusal says, and asks again', async () => {
    const { outcomes, gaps } = await ask([{ status: 429, headers: { 'retry-after': '1' } }, { status: 200 }])
    assert.deepEqual(outcomes, [{ type: 'done', body: {} }])
    assert.ok((gaps[0] ?? 0) >= 990, String(gaps))
  })

  it('does not wait for a limit of a day', async () => {
    const body = { message: 'Too many mails.' }
    const { outcomes } = await ask([{ status: 429, headers: { 'retry-after': '80000' }, body }])
    assert.deepEqual(outcomes, [
      {
        type: 'refused',
        status: 429,
        problem: 'The service answered 429: Too many mails.',
        fields: [],
        wasLost: false,
      },
    ])
  })

  it('says that an answer was lost before, since what was asked for may have happened', async () => {
    const body = { message: 'No.', fields: { 'Perigee-Project': ['Stands for something else.'] } }
    const { outcomes } = await ask(['cut', { status: 422, body }])
    assert.partialDeepStrictEqual(outcomes, [{ type: 'refused', fields: ['Perigee-Project'], wasLost: true }])
  })
})
