import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { openHostsFile, parseHosts } from './hosts-file.ts'

describe('the hosts file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-hosts-'))
  after(() => rmSync(folder, { recursive: true }))

  it('is read as hosts(5) says', () => {
    const text =
      '# local\n127.0.0.1\tlocalhost Router\n::1 localhost ip6-localhost # both\n\nnonsense here\n10.0.0.1 router\n10.0.0.1 router\n'
    assert.deepEqual(Object.fromEntries(parseHosts(text)), {
      localhost: ['127.0.0.1', '::1'],
      router: ['127.0.0.1', '10.0.0.1'],
      'ip6-localhost': ['::1'],
    })
  })

  it('is read again when it has changed, at most once a second', () => {
    let now = 0
    const path = join(folder, 'hosts')
    writeFileSync(path, '10.0.0.1 router\n')
    const hosts = openHostsFile(path, () => now)
    assert.deepEqual(hosts.find('router'), ['10.0.0.1'])
    writeFileSync(path, '10.0.0.2 router\n')
    utimesSync(path, 1000, 1000)
    now = 999
    assert.deepEqual(hosts.find('router'), ['10.0.0.1'])
    now = 1000
    assert.deepEqual(hosts.find('router'), ['10.0.0.2'])
  })

  it('is read once it is there, and is empty once it is gone', () => {
    let now = 0
    const path = join(folder, 'late')
    const hosts = openHostsFile(path, () => now)
    assert.deepEqual(hosts.find('router'), [])
    writeFileSync(path, '10.0.0.1 router\n')
    now = 1000
    assert.deepEqual(hosts.find('router'), ['10.0.0.1'])
    rmSync(path)
    now = 2000
    assert.deepEqual(hosts.find('router'), [])
  })

  it('knows localhost without a line, and nothing else', () => {
    const hosts = openHostsFile(join(folder, 'missing'), () => 0)
    assert.deepEqual(hosts.find('localhost'), ['::1', '127.0.0.1'])
    assert.deepEqual(hosts.find('app.localhost'), ['::1', '127.0.0.1'])
    assert.deepEqual(hosts.find('notlocalhost'), [])
  })

  it('reads any text without throwing', () => {
    fc.assert(fc.property(fc.string({ maxLength: 500 }), (text) => parseHosts(text) instanceof Map))
  })
})
