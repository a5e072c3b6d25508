import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below what systems give to servers that ask for any port, and to connections that leave: 32,768 and more on Linux,
 * 49,152 and more elsewhere (RFC 6335 6). Else another process of tests takes it soon after it was found free.
 */
const [firstPort, endPort] = [10_240, 32_768]
const mostTries = 20
/** Some tests want several before they use the first. */
const given = new Set<number>()

/** A port of this machine on which nothing listens. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const port = randomInt(firstPort, endPort)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port, host)) return port
  }
  return assert.fail('There is no free port.')
}

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}
