import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { ImportError } from '#core/imports/imported.ts'
import { writeKumaDatabase } from '../../../test/support/kuma-database.ts'
import { kumaExample } from '../../../test/support/kuma-example.ts'
import { readInThread, type SourceReading } from './source-thread.ts'

suite('the thread that reads the files of other tools', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'perigee-source-'))
  })
  after(() => rm(folder, { recursive: true }))

  async function reading(name: string, text: string): Promise<SourceReading> {
    const path = join(folder, name)
    await writeFile(path, text)
    return readingOf(name, path)
  }

  test('reads a database, and leaves nothing beside it', async () => {
    const path = join(folder, 'kuma.db')
    writeKumaDatabase(path, 2, kumaExample).close()
    const read = await readInThread(readingOf('kuma.db', path))
    assert.equal(read?.source, 'kuma')
    const { file, project, calls } = read.settled
    assert.deepEqual([project.id, file.monitors.length, calls.length], ['kuma', 32, 2])
    const group = project.entries.find(({ fields }) => fields['kind'] === 'group')
    const options: { member_ids?: readonly string[] } = Object(group?.fields['check_options'])
    const [member = ''] = options.member_ids ?? []
    assert.equal(project.findReference(member)?.to, 'monitors')
    assert.equal(project.findReference('shop'), null)
  })

  test('fills in variables, and none of its own', async () => {
    const text = 'endpoints:\n  - {name: a, url: "https://${HOST_OF_TEST}/${PATH}", conditions: ["[STATUS] == 200"]}\n'
    const given = { ...(await reading('gatus.yaml', text)), variables: new Map([['HOST_OF_TEST', 'a.example']]) }
    const read = await readInThread(given)
    assert.equal(read?.settled.project.entries[0]?.fields['url'], 'https://a.example/${PATH}')
  })

  test('knows when it does not know the source', async () => {
    assert.equal(await readInThread(await reading('what.json', '{"a": 1}')), null)
  })

  test('refuses what it cannot read with a sentence that has no path', async () => {
    const long = { ...(await reading('long.txt', 'https://a.example/\n'.repeat(100_000))), maxTextBytes: 1_000_000 }
    await assert.rejects(readInThread(long), refusal(/^long\.txt cannot be read: it is a text of more than 0 MB\.$/))
    const broken = await reading('broken.yml', 'endpoints:\n  - {')
    await assert.rejects(readInThread(broken), refusal(/^broken\.yml: /))
  })

  test('ends with its time and its memory, and takes what it wrote along', async () => {
    const path = join(folder, 'large.db')
    const database = writeKumaDatabase(path, 1, kumaExample)
    database.exec(`with recursive numbers (id) as (select 1 union all select id + 1 from numbers where id < 300000)
      insert into heartbeat (monitor_id, status, time) select id, 1, '2026-11-01 00:00:00' from numbers`)
    database.close()
    const large = readingOf('large.db', path)
    await assert.rejects(readInThread(large, { timeoutMs: 1, maxHeapMb: 512 }), refusal(/too long to read/))
    await assert.rejects(readInThread(large, { timeoutMs: 120_000, maxHeapMb: 24 }), refusal(/too much memory/))
    const beside = await readdir(tmpdir())
    assert.deepEqual(
      beside.filter((name) => name.startsWith(`perigee-import-${process.pid}-`)),
      [],
    )
  })
})

function readingOf(name: string, path: string): SourceReading {
  return {
    files: [{ name, path }],
    source: null,
    project: null,
    hidesSecrets: false,
    now: new Date('2026-11-26T12:00:00Z'),
    variables: new Map(),
    pingKey: null,
    wants: 'whole',
  }
}

function refusal(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof ImportError && message.test(error.message)
}
