import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { boxAround, createGitBoxes } from '#net/git/git-box.ts'
import { type GitEnding, runGit } from '#net/git/git-program.ts'
import { gitRoot, gitServer } from '../support/git-server.ts'
import { openNet } from '../support/net.ts'
import { until } from '../support/until.ts'
import { skipReason } from '../support/peers/daemon.ts'

const skip = skipReason(['bwrap', 'git', 'setpriv'])
const patientMs = 60_000
const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups']

describe('git in a box of bubblewrap', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-box-test-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const own = join(folder, 'own')
  mkdirSync(own)
  chmodSync(folder, 0o755)
  chmodSync(own, 0o777)
  writeFileSync(join(folder, 'secret-key'), 'secret')
  const root = gitRoot()
  root.make('shop.git', { branches: { main: { 'go.mod': 'module shop' } } })
  const box = await createGitBoxes('git', () => performance.now())()

  /** What a shell does in the place of git. */
  function run(script: string, reaches: 'network' | 'nothing' = 'nothing', signal?: AbortSignal): Promise<GitEnding> {
    const order = { arguments: ['-c', script], environment: {}, folder: own, box: box(own, reaches) }
    return runGit('/bin/sh', order, signal ?? AbortSignal.timeout(patientMs))
  }

  it('is made where bubblewrap is there and may make one', () =>
    assert.deepEqual(box(own, 'nothing'), boxAround('git')(own, 'nothing')))

  it('reads a repository', async () => {
    let boxed = 0
    const server = await gitServer(root, {
      instead: () => {
        boxed = Math.max(boxed, commandsWith('bwrap').length)
        return false
      },
    })
    const request = { credentials: null, folder: '', isWanted: () => true, maxFiles: 10, timeoutMs: patientMs }
    const object = root.git('shop.git', 'rev-parse', 'main')
    const url = new URL(`${server.url}/shop.git`)
    const outcome = await openNet.git.tree({ ...request, url, object }, AbortSignal.timeout(patientMs))
    assert.ok(outcome.ok)
    assert.deepEqual(
      outcome.files.map(({ path }) => path),
      ['go.mod'],
    )
    assert.ok(boxed > 0, 'no box was there while the server was asked')
  })

  for (const [what, script] of [
    ['writes into its own folder', 'echo x > made && test -s made'],
    ['sees no file beside its folder', `! cat ${join(folder, 'secret-key')}`],
    ['sees no home and no state of the machine', 'test ! -e /home && test ! -e /root && test ! -e /var'],
    ['sees no passwords', '! cat /etc/shadow'],
    ['changes no program', '! touch /usr/made'],
    ['sees no other process', 'test "$(ls /proc | grep -c "^[0-9]")" -lt 10'],
    ['has no interface but loopback', 'test "$(grep -c : /proc/net/dev)" = 1'],
  ] as const)
    it(what, async () => assert.deepEqual(await run(script), { type: 'success' }))

  it('reaches the network where it is to', async () => {
    const server = await gitServer(root)
    const ask = `git ls-remote ${server.url}/shop.git`
    assert.deepEqual(await run(ask, 'network'), { type: 'success' })
    assert.equal((await run(ask)).type, 'failure')
  })

  it('starts few processes, of a user who is not root', () => {
    const many = 'i=0; while [ $i -lt 200 ]; do sleep 20 & i=$((i + 1)); done'
    const command = [...nobody, ...box(own, 'nothing'), '/bin/sh', '-c', many]
    const { status, stderr } = spawnSync('setpriv', command, { encoding: 'utf8', timeout: patientMs })
    assert.notEqual(status, 0)
    assert.match(stderr, /fork/i)
  })

  it('ends with everything in it', async () => {
    const ending = new AbortController()
    const marker = 'sleep 31.4159'
    const done = run(`${marker} & setsid ${marker} & wait`, 'nothing', ending.signal)
    await until('both sleep', () => commandsWith(marker).filter((line) => line.startsWith('sleep')).length === 2)
    ending.abort()
    assert.deepEqual(await done, { type: 'aborted' })
    await until('none sleeps', () => commandsWith(marker).length === 0)
  })
})

/** The command lines of running processes that have these words. */
function commandsWith(words: string): string[] {
  return globSync('/proc/[0-9]*/cmdline')
    .map((file) => {
      try {
        return readFileSync(file, 'latin1').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
    .filter((line) => line.includes(words))
}
