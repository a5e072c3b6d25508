import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { httpServer } from '../../test/support/http-server.ts'
import { openNet } from '../../test/support/net.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import { createProviderFetch, ProviderTrouble } from './provider-fetch.ts'

const asking = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const

describe('an answer of a provider', async () => {
  const { port } = await httpServer((request, response) => {
    const status = Number(request.url?.slice(1))
    response.writeHead(status, { 'content-type': 'text/plain', etag: 'x' })
    response.end('words')
  })
  const fetchOnce = createProviderFetch(openNet)
  const answers: [status: number, given: number, body: string][] = [
    [200, 200, 'words'],
    [204, 204, ''],
    [205, 205, ''],
    [206, 206, 'words'],
    [304, 304, ''],
    [305, 305, 'words'],
    [400, 400, 'words'],
    [599, 599, 'words'],
    [600, 502, 'words'],
    [999, 502, 'words'],
  ]
  for (const [status, given, body] of answers)
    it(`of status ${status} is one of ${given}`, async () => {
      const answer = await fetchOnce(`http://127.0.0.1:${port}/${status}`, asking)
      assert.deepEqual([answer.status, await answer.text()], [given, body])
    })

  it('has the headers that are read alone', async () => {
    const answer = await fetchOnce(`http://127.0.0.1:${port}/200`, asking)
    assert.deepEqual(Array.from(answer.headers.keys()), ['content-type'])
  })
})

describe('a provider that was not asked', () => {
  it('is trouble to try again after, where this machine is short of something', async () => {
    const error = new OwnTrouble('EMFILE', new Error('too many files'))
    await assert.rejects(fetchFailing(error)('https://provider.example/', asking), (thrown) => {
      assert.ok(thrown instanceof ProviderTrouble)
      assert.equal(thrown.message, 'The provider cannot be asked right now. Try again later.')
      return true
    })
  })

  it('is a mistake of ours in all other cases', async () => {
    const error = new TypeError('a mistake')
    await assert.rejects(fetchFailing(error)('https://provider.example/', asking), error)
  })
})

function fetchFailing(error: Error): ReturnType<typeof createProviderFetch> {
  const http = async (): Promise<never> => {
    throw error
  }
  return createProviderFetch({ http })
}
