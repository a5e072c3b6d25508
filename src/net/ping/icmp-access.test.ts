import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { MissingMeans } from '#net/dial/own-trouble.ts'
import { createIcmpAccess } from './icmp-access.ts'

const folder = mkdtempSync(join(tmpdir(), 'perigee-icmp-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** What a program in place of fping opens for a family: it can reach these addresses, and no others. */
async function openedBy(reached: readonly string[], family: 4 | 6): Promise<'echoes' | 'no such family'> {
  const fping = join(folder, `fping-${reached.length}-${reached.join('').length}`)
  const cases = reached.map((address) => `*" ${address}") exit 0;;`)
  writeFileSync(fping, `#!/bin/sh\ncase "$*" in ${cases.join(' ')} *) exit 4;; esac\n`)
  chmodSync(fping, 0o755)
  const echoes = await createIcmpAccess({ ways: ['fping'], fping })(family)
  echoes?.close()
  return echoes === null ? 'no such family' : 'echoes'
}

describe('fping as the way to ping', () => {
  it('carries the families by which this machine reaches itself', async () => {
    assert.equal(await openedBy(['127.0.0.1', '::1'], 4), 'echoes')
    assert.equal(await openedBy(['127.0.0.1', '::1'], 6), 'echoes')
    assert.equal(await openedBy(['127.0.0.1'], 4), 'echoes')
  })

  it('tells that a machine has no IPv6 where it can do with IPv4', async () => {
    assert.equal(await openedBy(['127.0.0.1'], 6), 'no such family')
  })

  it('is none where it cannot even do with IPv4, or with anything', async () => {
    await assert.rejects(openedBy(['::1'], 4), MissingMeans)
    for (const family of [4, 6] as const) await assert.rejects(openedBy([], family), MissingMeans)
  })
})
