import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { type DataFolder, folderHolder, openDataFolder } from './data-folder.ts'
import { StartError } from '#store/database/start-error.ts'

describe('openDataFolder', () => {
  it('makes the folder, and what is in it is private', () => {
    const folder = opened(join(newFolder(), 'deep', 'down'))
    folder.readSecretKeys()
    const modes = ['secret.key', 'outbox', 'lock'].map((name) => statSync(join(folder.path, name)).mode & 0o777)
    assert.deepEqual(modes, [0o600, 0o700, 0o700])
    assert.equal(folder.outboxFolder, join(folder.path, 'outbox'))
    assert.equal(statSync(folder.path).mode & 0o066, 0, 'nobody else may list it')
  })

  it('leaves the mode of a folder that was there alone', () => {
    const path = newFolder()
    chmodSync(path, 0o750)
    opened(path)
    assert.equal(statSync(path).mode & 0o777, 0o750)
  })

  it('makes the secret key once', () => {
    const folder = opened(newFolder())
    const { current: key } = folder.readSecretKeys()
    assert.equal(key.length, 32)
    assert.deepEqual(folder.readSecretKeys(), { current: key, former: [] })
    assert.equal(readFileSync(join(folder.path, 'secret.key'), 'utf8'), `${key.toString('base64')}\n`)
  })

  it('refuses a secret key that was cut', () => {
    const folder = opened(newFolder())
    writeFileSync(join(folder.path, 'secret.key'), 'c2hvcnQ=\n')
    assert.throws(() => folder.readSecretKeys(), { name: 'StartError', message: /secret\.key does not hold 32 bytes/ })
  })

  it('tells a second one who has it and where that listens', () => {
    const path = newFolder()
    const folder = opened(path)
    assert.throws(() => openDataFolder(path), {
      message: new RegExp(`in use by process ${process.pid}, which is still starting`),
    })
    folder.publishAddress('http://127.0.0.1:3000')
    assert.throws(() => openDataFolder(path), {
      name: 'StartError',
      message: /which listens at http:\/\/127\.0\.0\.1:3000; stop it first/,
    })
    assert.equal(folderHolder(path)?.address, 'http://127.0.0.1:3000')
    folder.release()
    assert.equal(folderHolder(path), null)
    opened(path)
  })

  it('says in one line why a folder cannot be used', () => {
    const parent = newFolder()
    writeFileSync(join(parent, 'file'), '')
    for (const path of [join(parent, 'file'), join(parent, 'file', 'below'), '/proc/perigee'])
      assert.throws(
        () => openDataFolder(path),
        (error) =>
          error instanceof StartError &&
          error.message.startsWith(`The data folder ${path} cannot be used (`) &&
          !error.message.includes('\n'),
      )
  })

  it('knows of no holder where there is no folder', () => {
    assert.equal(folderHolder(join(newFolder(), 'none')), null)
  })
})

function opened(path: string): DataFolder {
  const folder = openDataFolder(path)
  after(() => folder.release())
  return folder
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-folder-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
