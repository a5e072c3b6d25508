import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { spawnPerigee } from '../../../test/support/perigee-process.ts'

function folderOf(test: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-project-'))
  test.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

async function run(args: string[], environment: Record<string, string> = {}) {
  const perigee = spawnPerigee({ args, environment })
  const code = await perigee.ended()
  return { code, out: perigee.stdout(), err: perigee.stderr() }
}

describe('perigee validate', { concurrency: 2 }, () => {
  it('reads a folder as one project, with variables and secrets in files', async (test) => {
    const folder = folderOf(test, {
      'project.yaml': 'project: shop\n',
      'sites/eu.yml':
        'monitors: [{key: site, name: Site, url: "https://${HOST}/", request_headers: {x-key: "${file:../key}"}}]\n',
      key: 'secret\n',
      '.hidden.yaml': 'not: read\n',
      'notes.txt': 'not: read\n',
    })
    const { code, out, err } = await run(['validate', '-f', folder], { HOST: 'example.com' })
    assert.deepEqual([code, err], [0, ''])
    assert.equal(out, 'shop: monitors 1. Nothing is wrong.\n')
    const asJson = await run(['validate', '-f', folder, '--json'], { HOST: 'example.com' })
    assert.deepEqual(JSON.parse(asJson.out), {
      project: 'shop',
      contacts: 0,
      on_call_schedules: 0,
      escalation_policies: 0,
      monitors: 1,
      status_pages: 0,
      maintenance: 0,
      objectives: 0,
      reports: 0,
    })
  })

  it('reads the examples of the documentation', async (test) => {
    const page = readFileSync(new URL('../../../docs/projects.md', import.meta.url), 'utf8')
    const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
    const folder = folderOf(test, Object.fromEntries(blocks.map((text, at) => [`${at}.yaml`, text])))
    const { code, out, err } = await run(['validate', '-f', folder], { SHOP_TOKEN: 'secret' })
    assert.deepEqual([code, err], [0, ''])
    assert.equal(
      out,
      'shop: contacts 1, on_call_schedules 1, escalation_policies 1, monitors 6, status_pages 1, maintenance 1, objectives 1, reports 1. Nothing is wrong.\n',
    )
  })

  it('names file and line of all that is wrong', async (test) => {
    const folder = folderOf(test, {
      'a.yaml': 'project: shop\nmonitors:\n  - key: site\n    name: Site\n    interval_seconds: 1\n',
      'b.yaml': 'monitors:\n  - key: other\n    name: Other\n    depends_on: [gone]\n',
    })
    const { code, out, err } = await run(['validate', '-f', folder])
    assert.deepEqual([code, out], [1, ''])
    assert.deepEqual(err.trimEnd().split('\n'), [
      `${folder}/a.yaml:5: monitors.site.interval_seconds: Must be at least 10.`,
      `${folder}/b.yaml:4: The project has no gone among its monitors.`,
    ])
  })

  it('refuses a folder without files, and what is not there', async (test) => {
    const folder = folderOf(test, {})
    const empty = await run(['validate', '-f', folder])
    assert.deepEqual([empty.code, empty.err], [1, `${folder}:1: The folder has no .yaml or .yml file.\n`])
    const gone = await run(['validate', '-f', join(folder, 'gone.yaml')])
    assert.equal(gone.code, 1)
    assert.match(gone.err, /gone\.yaml:1: Cannot be read: ENOENT/)
    assert.equal((await run(['validate'])).code, 2)
  })
})

describe('perigee schema', () => {
  it('prints a JSON Schema', async () => {
    const { code, out } = await run(['schema'])
    assert.equal(code, 0)
    assert.partialDeepStrictEqual(JSON.parse(out), { $schema: 'https://json-schema.org/draft/2020-12/schema' })
  })
})
