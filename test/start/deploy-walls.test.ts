// Walls around probers that deploy/ proposes, compared with what Perigee refuses by itself.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { load } from 'js-yaml'
import { z } from 'zod'
import { createGuard } from '#net/dial/guard.ts'
import { deployFolder } from '../support/compose.ts'

/** systemd.resource-control(5) */
const named = new Map([
  ['localhost', ['127.0.0.0/8', '::1/128']],
  ['link-local', ['169.254.0.0/16', 'fe80::/64']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
])
const privateOnes = [
  '10.1.2.3',
  '127.0.0.1',
  '169.254.169.254',
  '172.20.0.1',
  '192.168.1.1',
  '::1',
  'fd00::1',
  'fe80::1',
]
const publicOnes = ['1.1.1.1', '2606:4700:4700::1111']

describe('a wall around probers', () => {
  it('of systemd keeps from them what is not public', () => {
    const text = readFileSync(join(deployFolder, 'systemd/no-private-targets.conf'), 'utf8')
    const [, denied = ''] = /^IPAddressDeny=(.*)$/m.exec(text) ?? []
    assertPrivate(denied.split(' ').flatMap((name) => named.get(name) ?? [name]))
  })

  it('of Kubernetes keeps from them what is not public', () => {
    const policy = z.looseObject({
      kind: z.literal('NetworkPolicy'),
      spec: z.looseObject({
        podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
        egress: z.array(z.looseObject({ to: z.array(z.unknown()) })),
      }),
    })
    const text = readFileSync(join(deployFolder, 'kubernetes/prober-egress.yaml'), 'utf8')
    const { spec } = policy.parse(load(text))
    assert.deepEqual(spec.podSelector.matchLabels, { app: 'perigee', role: 'prober' })
    const block = z.object({ ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()) }) })
    const everywhere = z.array(block).parse(spec.egress.at(-1)?.to)
    assert.deepEqual(
      everywhere.map(({ ipBlock }) => ipBlock.cidr),
      ['0.0.0.0/0', '::/0'],
    )
    assertPrivate(everywhere.flatMap(({ ipBlock }) => ipBlock.except))
  })
})

/** Each of them is refused where private targets are, and each usual private address is in one of them. */
function assertPrivate(ranges: readonly string[]): void {
  const refused = createGuard('none')
  for (const range of ranges) assert.ok(!refused.isAllowed(range.split('/')[0] ?? ''), range)
  const allowed = createGuard('all', { denied: ranges })
  for (const address of privateOnes) assert.ok(!allowed.isAllowed(address), address)
  for (const address of publicOnes) assert.ok(allowed.isAllowed(address), address)
}
