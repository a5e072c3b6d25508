// Every command in the documentation works: page by page, against a real service at the address that the pages name.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { serviceFolder } from '../support/service-folder.ts'
import { type Block, blocksIn, pagesWithCommands } from './blocks.ts'
import { leftOut } from './left-out.ts'
import { preparations } from './pages.ts'
import { runPage, type Surroundings } from './run-page.ts'
import { isSettings, settingsOf } from './settings.ts'
import { startWorld } from './world.ts'

const pages = pagesWithCommands()
const isLeftOut = (block: Block): boolean =>
  leftOut.some(({ page, begins }) => page === block.page && block.text.startsWith(begins))
/** Its workspace is read back as a file, so it has to be as the service begins. */
const first = 'docs/projects.md'
/** The checks of these pages find their target up in the world of the examples. */
const up = ['README.md', 'docs/start.md', 'api', 'dns', 'email_auth', 'http', 'ssh', 'ssl', 'tcp', 'transaction']

describe('the list of blocks that are left out', () => {
  for (const { page, begins } of leftOut)
    it(`is right about ${begins} of ${page}`, () =>
      assert.ok(pages.get(page)?.some(({ text }) => text.startsWith(begins))))
})

describe('the preparations', () => {
  it('are of pages with commands', () =>
    assert.deepEqual(
      Object.keys(preparations).filter((page) => !pages.has(page)),
      [],
    ))
})

describe('a block', () => {
  it('is found with its line', () =>
    assert.deepEqual(blocksIn('# A\n\n```sh\nls\n```\n\n```json\n{}\n```\n', 'a.md'), [
      { page: 'a.md', line: 4, text: 'ls\n' },
    ]))
})

describe('a block of a list', () => {
  it('is found without its indentation', () =>
    assert.deepEqual(blocksIn('- a:\n\n  ```sh\n  ls \\\n    -l\n  ```\n', 'a.md'), [
      { page: 'a.md', line: 4, text: 'ls \\\n  -l\n' },
    ]))
})

describe('the settings', () => {
  for (const block of [...pages.values()].flat().filter((each) => isSettings(each)))
    it(`at ${block.page}:${block.line} are read`, () => assert.notDeepEqual(settingsOf(block), {}))
})

describe('the commands', async () => {
  const around = await startSurroundings()
  for (const [what, text] of [
    ['a request that is refused', 'curl -s "$PERIGEE/api/v1/monitors" -H "X-API-Key: $TOKEN" -d "{}" | jq .'],
    ['a setting that is not there', 'npm run perigee -- check example.com --option no=1'],
    ['a variable that nobody set', 'echo "$NOWHERE"'],
  ] as const)
    it(`of a page fail with its place, because of ${what}`, async () => {
      const blocks = [
        { page: 'docs/a.md', line: 3, text: 'true\n' },
        { page: 'docs/a.md', line: 7, text: `${text}\n` },
      ]
      await assert.rejects(runPage(blocks, around), /docs\/a\.md:7/)
    })

  const names = [...pages.keys()].toSorted((a, b) => Number(b === first) - Number(a === first))
  for (const page of names) {
    const blocks = (pages.get(page) ?? []).filter((block) => !isLeftOut(block) && !isSettings(block))
    if (blocks.length === 0) continue
    it(`of ${page}`, async () => {
      const said = await runPage(blocks, around)
      if (up.some((name) => page === name || page === `docs/kinds/${name}.md`)) assert.match(said, /^CHECKED .*: 0$/m)
    })
  }
})

/** With more room than a plan has, and without the limits that keep scripts slow. */
async function startSurroundings(): Promise<Surroundings> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-docs-'))
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { environment } = await startWorld(folder)
  const service = serviceFolder()
  const perigee = service.start({
    ...environment,
    PERIGEE_PORT: '3000',
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    PERIGEE_PAYMENTS: 'sandbox',
    PERIGEE_READS_PER_MINUTE: '10000',
    PERIGEE_WRITES_PER_MINUTE: '10000',
  })
  const [, url = ''] = await perigee.printed(/^Perigee is at (http:\/\/127\.0\.0\.1:3000)$/m)
  const [, token = ''] = await perigee.printed(/shown only once: (pgk_[A-Za-z0-9]{40})$/m)
  await perigee.printed(/^Press Ctrl-C to stop\.$/m)
  return { folder, dataFolder: service.dataFolder, url, token, environment }
}
