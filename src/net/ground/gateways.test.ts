import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { gatewayReader, readGateways } from './gateways.ts'

const head = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n'

describe('the gateways of a machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-gateways-'))
  after(() => rmSync(folder, { recursive: true }))
  const cases: [what: string, lines: string[], hosts: string[]][] = [
    ['one', ['eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0'], ['192.168.1.1']],
    [
      'one that stands twice',
      ['eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000', 'wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000'],
      ['192.168.1.1'],
    ],
    ['none on a point-to-point link', ['tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0'], []],
    ['none of a network of its own', ['eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0'], []],
    ['none of a route that leads through none', ['eth0\t00000000\t0101A8C0\t0021\t0\t0\t100\t00000000\t0\t0\t0'], []],
    ['none of a route to some network', ['eth0\t0000000A\t0101A8C0\t0003\t0\t0\t100\t000000FF\t0\t0\t0'], []],
  ]
  for (const [what, lines, hosts] of cases)
    it(`are ${what}`, () => {
      const path = join(folder, 'route')
      writeFileSync(path, `${head}${lines.join('\n')}\n`)
      assert.deepEqual([...new Set(readGateways(path).map(({ host }) => host))], hosts)
    })

  it('are asked at the ports that routers answer or refuse', () => {
    const path = join(folder, 'route')
    writeFileSync(path, `${head}eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\n`)
    assert.deepEqual(
      readGateways(path).map(({ port }) => port),
      [53, 80, 443],
    )
  })

  it('are read every ten seconds, however often they are asked for', () => {
    let reads = 0
    let nowMs = 0
    const read = gatewayReader(
      () => [{ host: `192.168.1.${(reads += 1)}`, port: 53 }],
      () => nowMs,
    )
    const first = [read(), read()]
    nowMs = 10_000
    assert.deepEqual(
      [...first, read()].flat().map(({ host }) => host),
      ['192.168.1.1', '192.168.1.1', '192.168.1.2'],
    )
    assert.equal(reads, 2)
  })

  it('are none where no file tells them', () => assert.deepEqual(readGateways(join(folder, 'none')), []))
})
