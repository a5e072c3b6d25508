// `perigee discover docker` against Podman, which answers the API of Docker. Containers are made and not started, so
// that no right of the machine is needed beyond root's.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { scratchFolder, skipReason, startDaemon } from '../support/peers/daemon.ts'
import { spawnPerigee } from '../support/perigee-process.ts'
import { until } from '../support/until.ts'

const containers: [name: string, labels: Record<string, string>][] = [
  ['front', { 'perigee.url': 'https://example.com', 'perigee.tags': '[shop, "a b"]' }],
  [
    'shop',
    {
      'traefik.http.routers.shop.rule': 'Host(`shop.example.com`, `www.example.com`)',
      'perigee.interval_seconds': '30',
    },
  ],
  ['backup', { 'perigee.enable': 'false', caddy: 'backup.example.com' }],
]

describe('containers of Podman', { skip: skipReason(['podman']) }, () => {
  it('are proposed as their labels say', async () => {
    const folder = scratchFolder('podman')
    // Podman refuses a longer one than 50 characters.
    const runFolder = mkdtempSync('/tmp/podman-')
    after(() => rmSync(runFolder, { recursive: true, force: true }))
    const socket = join(runFolder, 'api.sock')
    const base = ['--root', join(folder, 'root'), '--runroot', runFolder, '--storage-driver', 'vfs']
    const shared = [...base, '--cgroup-manager', 'cgroupfs']
    const podman = (...args: string[]) =>
      execFileSync('podman', [...shared, ...args], { stdio: 'pipe', timeout: 60_000 })
    mkdirSync(join(folder, 'files'))
    execFileSync('tar', ['-C', join(folder, 'files'), '-cf', join(folder, 'files.tar'), '.'])
    podman('import', join(folder, 'files.tar'), 'empty:1')
    for (const [name, labels] of containers) {
      const told = Object.entries(labels).flatMap(([label, value]) => ['--label', `${label}=${value}`])
      podman('create', '--name', name, '--network', 'none', ...told, 'empty:1', '/bin/true')
    }
    await startDaemon(['podman', ...shared, 'system', 'service', '--time=0', `unix://${socket}`], { folder, ports: [] })
    await until('the socket', () => existsSync(socket))
    const perigee = spawnPerigee({ args: ['discover', 'docker', '--docker', `unix://${socket}`, '--json'] })
    assert.equal(await perigee.ended(), 0, perigee.stderr())
    const said = JSON.parse(perigee.stdout())
    const byKey = said.proposals.map(({ monitor }: { monitor: { key: string } }) => [monitor.key, monitor])
    assert.deepEqual(Object.fromEntries(byKey), {
      front: { key: 'front', name: 'front', url: 'https://example.com', tags: ['shop', 'a b'] },
      'shop.example.com': {
        key: 'shop.example.com',
        name: 'shop.example.com',
        kind: 'http',
        url: 'http://shop.example.com/',
        interval_seconds: 30,
      },
      'www.example.com': {
        key: 'www.example.com',
        name: 'www.example.com',
        kind: 'http',
        url: 'http://www.example.com/',
        interval_seconds: 30,
      },
    })
    assert.deepEqual(said.left_out, [])
  })
})
