import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { relaunchServer } from './embedded-relaunch.ts'
import { KilledError, type Server } from './embedded-server.ts'
import { StartError } from '#store/database/start-error.ts'

const server: Server = { pid: 7, ended: Promise.resolve('SIGKILL'), isEnded: () => true, signal: () => {} }

/** Attempts that fail with each of the reasons in turn, then succeed. */
function failing(...reasons: readonly string[]): () => Promise<Server> {
  const left = [...reasons]
  return () => {
    const reason = left.shift()
    return reason === undefined ? Promise.resolve(server) : Promise.reject(new StartError(reason))
  }
}

describe('relaunchServer', () => {
  it('tells each reason once while it lasts, and goes on', async () => {
    const told: string[] = []
    const launch = failing('read-only', 'read-only', 'full')
    const started = await relaunchServer({
      launch,
      onHindered: (reason) => told.push(reason),
      signal: new AbortController().signal,
    })
    assert.equal(started, server)
    assert.deepEqual(told, ['read-only', 'full'])
  })

  it('ends with the last reason when its time is over', async () => {
    const launch = failing(...Array.from({ length: 9 }, () => 'read-only'))
    await assert.rejects(
      relaunchServer({ launch, onHindered: () => {}, signal: new AbortController().signal, forMs: 100 }),
      (error) =>
        error instanceof StartError && error.message === 'PostgreSQL could not be started again for 0 min: read-only',
    )
  })

  it('leaves a server alone that is killed each time', async () => {
    const killed = new KilledError('PostgreSQL did not start (SIGKILL)')
    const launch = (): Promise<Server> => Promise.reject(killed)
    const ended = relaunchServer({ launch, onHindered: assert.fail, signal: new AbortController().signal })
    await assert.rejects(ended, killed)
  })

  it('is ended by its signal, during an attempt and between two', async () => {
    for (const abortOn of ['launch', 'pause']) {
      const stopping = new AbortController()
      const abort = (at: string): void => (at === abortOn ? stopping.abort() : undefined)
      const launch = (): Promise<Server> => {
        abort('launch')
        return Promise.reject(new Error('read-only'))
      }
      const ended = relaunchServer({ launch, onHindered: () => abort('pause'), signal: stopping.signal })
      await assert.rejects(ended, { name: 'AbortError' })
    }
  })
})
