import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFront } from './front.ts'

async function ask(front: ReturnType<typeof createFront>, path: string): Promise<[status: number, text: string]> {
  const response = await front.fetch(new Request(`http://localhost${path}`))
  return [response.status, await response.text()]
}

describe('a process that starts', () => {
  it('is alive, not ready, and sends everybody else away for a moment', async () => {
    const front = createFront()
    assert.deepEqual(await ask(front, '/healthz'), [200, '{"status":"ok"}'])
    for (const path of ['/readyz', '/metrics', '/api/v1/monitors', '/healthz/x'])
      assert.deepEqual(await ask(front, path), [503, '{"error":"unavailable","message":"Perigee is starting."}'])
  })

  it('answers by what it has started from then on', async () => {
    const front = createFront()
    front.open({ fetch: () => new Response('here') })
    assert.deepEqual(await ask(front, '/healthz'), [200, 'here'])
  })
})
