import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readSeen, type Seen } from '#core/software/location-scan.ts'
import { configuration } from '../../test/support/bus-contract.ts'
import { httpServer } from '../../test/support/http-server.ts'
import { openNet } from '../../test/support/net.ts'
import { lookFor } from './look-for.ts'

describe('a location that looks for a product', () => {
  const table: [what: string, answer: { status: number; server: string }, Seen][] = [
    [
      'says its version',
      { status: 200, server: 'nginx/1.25.3' },
      { saw: 'version', version: '1.25.3', evidence: 'Server header: nginx/1.25.3' },
    ],
    [
      'says that no version shows',
      { status: 200, server: 'nginx' },
      { saw: 'no_version', evidence: 'Server header: nginx' },
    ],
    ['says that it sees nothing of it', { status: 200, server: 'Caddy' }, { saw: 'nothing' }],
    [
      'says why it could not look',
      { status: 503, server: 'nginx/1.25.3' },
      { saw: 'failed', problem: 'The website answered with HTTP status 503.' },
    ],
  ]
  for (const [what, { status, server }, expected] of table)
    it(what, async () => {
      const { port } = await httpServer((_, response) => response.writeHead(status, { server }).end('<p>Shop</p>'))
      const asked = { ...configuration, url: `http://127.0.0.1:${port}/`, looksFor: 'nginx' }
      const verdict = await lookFor(asked, openNet, AbortSignal.timeout(30_000))
      assert.deepEqual(readSeen(verdict), expected)
    })

  it('tells nothing where it made an ordinary check', () => {
    for (const details of [{}, { software: 'nginx' }, { software: { saw: 'version', version: '' } }])
      assert.equal(readSeen({ details }), null)
  })
})
