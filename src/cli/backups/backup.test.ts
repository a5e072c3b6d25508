import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { spawnPerigee } from '../../../test/support/perigee-process.ts'
import { prepareData } from '../../../test/support/prepared-data.ts'

type Ran = { code: number | string; out: string; err: string }

async function run(dataFolder: string, ...args: string[]): Promise<Ran> {
  const perigee = spawnPerigee({ args, environment: { PERIGEE_DATA_DIR: dataFolder } })
  return { code: await perigee.ended(), out: perigee.stdout(), err: perigee.stderr() }
}

describe('perigee backup and restore', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-backup-'))
  // The PostgreSQL of a root user runs as another one, who has to pass through.
  chmodSync(folder, 0o711)
  after(() => rmSync(folder, { recursive: true, force: true }))
  const [original, copy, file] = ['original', 'copy', 'some.pgb'].map((name) => join(folder, name))
  if (original === undefined || copy === undefined || file === undefined) throw new Error('Three paths are needed.')
  const passphraseFile = join(folder, 'passphrase')
  writeFileSync(passphraseFile, 'correct horse battery\n')
  prepareData(original)
  const secret = ['--passphrase-file', passphraseFile]

  it('copy an installation that runs, with its key, into another folder that sends nothing', async () => {
    const service = spawnPerigee({ args: ['start'], environment: { PERIGEE_DATA_DIR: original } })
    await service.printed(/Press Ctrl-C/)
    const taken = await run(original, 'backup', '--to', file, ...secret)
    assert.equal(taken.code, 0, taken.err)
    assert.match(
      taken.err,
      /\d+ rows of \d+ tables were written to .*some\.pgb\. The file has 0\.\d MB\.\nIt is encrypted/,
    )
    service.child.kill('SIGTERM')
    await service.ended()

    const restored = await run(copy, 'restore', file, ...secret)
    assert.equal(restored.code, 0, restored.err)
    assert.match(restored.out, /^TABLE +ROWS +COMPARED\n/)
    assert.match(restored.out, /\nworkspaces +1 +the same\n/)
    assert.match(restored.err, /It sends nothing until you run "perigee resume-sending"/)
    assert.equal(readFileSync(join(copy, 'secret.key'), 'utf8'), readFileSync(join(original, 'secret.key'), 'utf8'))

    const again = await run(copy, 'restore', file, ...secret)
    assert.equal(again.code, 1)
    assert.match(again.err, /The database is not empty/)

    const held = await run(copy, 'status')
    assert.match(held.err, /was restored from a backup of .* and sends nothing/)
    assert.match((await run(copy, 'resume-sending')).out, /^Alerts, mails and payments leave again/)
    assert.match((await run(copy, 'resume-sending')).out, /^Nothing was held back/)
    assert.doesNotMatch((await run(copy, 'status')).err, /sends nothing/)
  })

  it('say what is wrong in a line, and leave no database', async () => {
    const damaged = join(folder, 'damaged.pgb')
    const bytes = readFileSync(file)
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 5) ^ 1, bytes.length - 5)
    writeFileSync(damaged, bytes)
    const other = join(folder, 'other')
    writeFileSync(other, 'another passphrase\n')
    const target = join(folder, 'target')
    const failing: [args: string[], line: RegExp][] = [
      [['restore', damaged, ...secret], /^The backup is damaged/],
      [['restore', file, '--passphrase-file', other], /^The passphrase is not that of the backup/],
      [['restore', file], /^The backup is encrypted/],
      [['restore', passphraseFile], /^The file is no backup of Perigee/],
      [['restore', join(folder, 'nothing')], /^There is no file/],
    ]
    for (const [args, line] of failing) {
      const { code, err } = await run(target, ...args)
      assert.equal(code, 1)
      assert.match(err, line)
      assert.equal(err.trim().split('\n').length, 1)
    }
    writeFileSync(join(target, 'mine'), '')
    rmSync(join(target, 'postgres'), { recursive: true, force: true })
    const full = await run(target, 'restore', file, ...secret)
    assert.match(full.err, /^The data folder .* is not empty: it has mine/)
  })

  it('give the key back alone, for an installation that has it in its environment', async () => {
    const key = join(folder, 'key')
    const { code, err } = await run(copy, 'restore', file, ...secret, '--key-to', key)
    assert.equal(code, 0, err)
    assert.equal(readFileSync(key, 'utf8'), readFileSync(join(original, 'secret.key'), 'utf8'))
  })

  it('write into the data folder where no file is named, and to standard output', async () => {
    const { code, err } = await run(copy, 'backup')
    assert.equal(code, 0, err)
    assert.match(err, /It does not hold the secret key\. Keep secret\.key in /)
    const [name = '', ...others] = readdirSync(join(copy, 'backups'))
    assert.match(name, /^perigee-backup-\d{8}T\d{6}Z\.pgb$/)
    assert.deepEqual(others, [])
    const said = await run(copy, 'backup', '--to', '-')
    assert.ok(said.out.startsWith('perigee backup\n'))
    const twice = await run(copy, 'backup', '--to', join(copy, 'backups', name))
    assert.match(twice.err, /exists already/)
    assert.ok(existsSync(join(copy, 'backups', name)))
  })
})
