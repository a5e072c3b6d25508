import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { identityOf, keyIdOf } from '#store/database/secrets.ts'
import { changeFolderKey, dropFormerKey, readFolderKeys, storeFolderKeys, storeKey } from './folder-keys.ts'

const now = new Date('2026-11-27T10:00:00Z')
const idOf = (key: Buffer): string => keyIdOf(identityOf(key))

describe('the keys of a data folder', () => {
  it('are none before the first start', () => assert.equal(readFolderKeys(newFolder()), null))

  it('change: the current one becomes the newest former one', () => {
    const path = newFolder()
    const first = randomBytes(32)
    storeKey(path, first)
    const once = changeFolderKey(path, now)
    assert.deepEqual(once.former, [first])
    assert.ok(!once.current.equals(first))
    const twice = changeFolderKey(path, now)
    assert.deepEqual(twice.former, [once.current, first])
    assert.deepEqual(readFolderKeys(path), twice)
  })

  it('lie in files of their owner alone, which a person can read', () => {
    const path = newFolder()
    const first = randomBytes(32)
    storeKey(path, first)
    changeFolderKey(path, now)
    const file = join(path, 'former-secret.keys')
    const [, , line = ''] = readFileSync(file, 'utf8').split('\n')
    assert.equal(line, `${first.toString('base64')} # ${idOf(first)}, current until 2026-11-27T10:00:00.000Z`)
    assert.deepEqual(
      [file, join(path, 'secret.key')].map((each) => statSync(each).mode & 0o777),
      [0o600, 0o600],
    )
  })

  it('are whole where a change was broken off between its two files', () => {
    const path = newFolder()
    const first = randomBytes(32)
    storeKey(path, first)
    changeFolderKey(path, now)
    storeKey(path, first)
    assert.deepEqual(readFolderKeys(path), { current: first, former: [] })
    const again = changeFolderKey(path, now)
    assert.deepEqual(again.former, [first], 'it is noted once')
  })

  it('lose a former one, and keep what is said of the others', () => {
    const path = newFolder()
    storeKey(path, randomBytes(32))
    const { current: second } = changeFolderKey(path, now)
    const { current, former } = changeFolderKey(path, now)
    const [, first = assert.fail()] = former
    dropFormerKey(path, identityOf(second))
    assert.deepEqual(readFolderKeys(path), { current, former: [first] })
    assert.match(readFileSync(join(path, 'former-secret.keys'), 'utf8'), /, current until 2026-11-27/)
    dropFormerKey(path, identityOf(first))
    assert.deepEqual(readFolderKeys(path), { current, former: [] })
  })

  it('are stored as a backup had them', () => {
    const path = newFolder()
    const keys = { current: randomBytes(32), former: [randomBytes(32), randomBytes(32)] }
    storeFolderKeys(path, keys)
    assert.deepEqual(readFolderKeys(path), keys)
  })

  it('are refused where a line was cut', () => {
    const path = newFolder()
    storeKey(path, randomBytes(32))
    writeFileSync(join(path, 'former-secret.keys'), '# a remark\n\nc2hvcnQ= # short\n')
    assert.throws(() => readFolderKeys(path), { name: 'StartError', message: /former-secret\.keys does not hold 32/ })
  })
})

function newFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'perigee-folder-keys-'))
  after(() => rmSync(path, { recursive: true, force: true }))
  return path
}
