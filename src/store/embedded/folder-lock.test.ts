import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, it } from 'node:test'
import { type FolderLock, acquireLock, lockHolder } from './folder-lock.ts'
import { processIdentity } from './process-identity.ts'

const lockModule = new URL('./folder-lock.ts', import.meta.url).href
/** Tries once per line it is told, and says whether it became the holder. */
const contender = `
  const { acquireLock } = await import(${JSON.stringify(lockModule)})
  process.stdin.setEncoding('utf8').on('data', () => {
    const lock = acquireLock(process.argv[1])
    process.stdout.write('pid' in lock ? 'busy ' + lock.pid + '\\n' : 'held\\n')
  })
  process.stdout.write('ready\\n')`

describe('acquireLock', () => {
  it('names the holder to whoever comes second', () => {
    const folder = newFolder()
    const lock = held(folder)
    lock.publishAddress('http://127.0.0.1:3000')
    assert.deepEqual(acquireLock(folder), {
      pid: process.pid,
      identity: processIdentity(process.pid),
      address: 'http://127.0.0.1:3000',
    })
  })

  it('is free again after release', () => {
    const folder = newFolder()
    held(folder).release()
    assert.equal(lockHolder(folder), null)
    held(folder)
  })

  it('is free again when its holder was killed', async () => {
    const folder = newFolder()
    const child = await startContender(folder)
    assert.equal(await child.attempt(), 'held')
    assert.equal(lockHolder(folder)?.pid, child.pid)
    await child.kill()
    assert.equal(lockHolder(folder), null)
    held(folder)
    assert.equal(readdirSync(folder).length, 1, 'what the dead left is swept away')
  })

  it('does not take another process with the same pid for the holder', () => {
    const folder = newFolder()
    const stale = { pid: process.pid, identity: 'another boot:1', address: null }
    writeFileSync(join(folder, '7'), JSON.stringify(stale))
    assert.equal(lockHolder(folder), null)
    held(folder)
    assert.deepEqual(readdirSync(folder), ['8'])
  })

  it('takes a file that a power cut left empty for nobody', () => {
    const folder = newFolder()
    for (const torn of ['', '{"pid":', '[]']) {
      writeFileSync(join(folder, '3'), torn)
      assert.equal(lockHolder(folder), null)
    }
    held(folder)
  })

  it('goes to exactly one of many processes that find a dead holder at the same moment', async () => {
    const folder = newFolder()
    for (let round = 0; round < 5; round += 1) {
      const children = await Promise.all(Array.from({ length: 6 }, () => startContender(folder)))
      const answers = await Promise.all(children.map((child) => child.attempt()))
      const holders = children.filter((_, index) => answers[index] === 'held')
      assert.equal(holders.length, 1, answers.join())
      const busy = answers.filter((answer) => answer !== 'held')
      assert.ok(
        busy.every((answer) => answer === `busy ${holders[0]?.pid}`),
        answers.join(),
      )
      await Promise.all(children.map((child) => child.kill()))
    }
  })

  it('keeps its file private', () => {
    const folder = newFolder()
    held(folder).publishAddress('http://127.0.0.1:1')
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)
    assert.deepEqual(modes, [0o600])
  })
})

function held(folder: string): FolderLock {
  const lock = acquireLock(folder)
  if ('pid' in lock) return assert.fail(`held by ${lock.pid}`)
  return lock
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-lock-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

type Contender = { pid: number; attempt: () => Promise<string>; kill: () => Promise<void> }

async function startContender(folder: string): Promise<Contender> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', contender, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => String((await lines.next()).value)
  assert.equal(await nextLine(), 'ready')
  return {
    pid: child.pid ?? 0,
    attempt: () => {
      child.stdin.write('go\n')
      return nextLine()
    },
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
