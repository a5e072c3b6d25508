import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { testApi } from '../../test/support/api.ts'
import { httpServer } from '../../test/support/http-server.ts'
import { addRunningIncident, createMonitor } from '../../test/support/monitors.ts'
import { spawnPerigee } from '../../test/support/perigee-process.ts'
import { until } from '../../test/support/until.ts'
import { listen } from '../http/listen.ts'
import { bashCompletion } from './definitions/bash-completion.ts'
import { definitions } from './definitions/index.ts'
import { manualOf } from './definitions/manual.ts'
import { completedCommands } from './definitions/shells.ts'

async function run(args: string[], environment: Record<string, string> = {}) {
  const perigee = spawnPerigee({ args, environment })
  const code = await perigee.ended()
  return [code, perigee.stdout(), perigee.stderr()] as const
}

describe('perigee completion names', { concurrency: 2 }, async () => {
  const api = await testApi()
  const service = await listen(api.app, { host: '127.0.0.1', port: 0 })
  after(() => service.close(1000))
  const reached = { PERIGEE_URL: `http://127.0.0.1:${service.port}`, PERIGEE_TOKEN: api.readToken }
  const shop = await createMonitor(api, { name: 'My shop' })
  await createMonitor(api, { name: 'Red \u001b[31m' })
  await addRunningIncident(api.database, shop, new Date())

  it('are those of monitors, or of what has an open incident, without what a terminal would obey', async () => {
    // A machine that is busy may take longer to answer than the command waits.
    for (const thing of ['monitor', 'incident'])
      await until(`names of each ${thing} come in time`, async () => {
        const [code, out, err] = await run(['completion', 'names', thing], reached)
        assert.deepEqual([code, err], [0, ''])
        if (out !== '') assert.equal(out, 'My shop\n')
        return out !== ''
      })
  })

  it('are none, without a word, where no service is named, it refuses, or it does not answer', async () => {
    const silent = await httpServer(() => {})
    for (const environment of [
      {},
      { PERIGEE_URL: 'nonsense', PERIGEE_TOKEN: api.readToken },
      { ...reached, PERIGEE_TOKEN: 'no token' },
      { ...reached, PERIGEE_TOKEN: `pgk_${'x'.repeat(40)}` },
      { ...reached, PERIGEE_URL: `http://127.0.0.1:${silent.port}` },
    ])
      assert.deepEqual(await run(['completion', 'names', 'monitor'], environment), [0, '', ''])
  })

  it('belong to a shell that is known', async () => {
    for (const args of [['completion'], ['completion', 'csh'], ['completion', 'bash', 'more'], ['man', 'x']])
      assert.equal((await run(args))[0], 2)
  })
})

describe('the completion of bash', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-completion-'))
  after(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'perigee.bash')
  writeFileSync(script, bashCompletion(completedCommands(definitions)))
  writeFileSync(join(folder, 'a file.yaml'), '')

  function completed(...words: string[]): string[] {
    const program = `perigee() { [ "$*" = 'completion names monitor' ] && printf '%s\\n' 'My shop' 'My blog' Router; }
source "$1"; shift
COMP_WORDS=(perigee "$@"); COMP_CWORD=$#
_perigee
printf '%s\\n' "\${COMPREPLY[@]}"`
    const said = execFileSync('bash', ['-c', program, 'bash', script, ...words], { cwd: folder, encoding: 'utf8' })
    return said.split('\n').filter((line) => line !== '')
  }

  for (const [words, expected] of [
    [['mo'], ['monitors']],
    [
      ['monitors', ''],
      ['list', 'show', 'pause', 'resume', 'delete'],
    ],
    [
      ['monitors', 'list', '--'],
      ['--status', '--kind', '--tag', '--name', '--json', '--url', '--token-file', '--help'],
    ],
    [['monitors', 'delete', '--y'], ['--yes']],
    [['monitors', 'pause', '--y'], []],
    [
      ['monitors', 'list', '--status', 'd'],
      ['down', 'degraded'],
    ],
    [['monitors', 'list', '--tag', ''], []],
    [
      ['monitors', 'show', 'My'],
      ['My\\ shop', 'My\\ blog'],
    ],
    [['monitors', 'show', 'My\\ s'], ['My\\ shop']],
    [['monitors', 'show', '"My s'], ['My shop']],
    [['plan', '-f', 'a'], ['a file.yaml']],
    [['apply', '--prune-'], []],
    [['slo', 'check', '--a'], ['--allow-unknown']],
    [['check', '--method', 'H'], ['HEAD']],
    [['check', '--ju'], ['--junit']],
    [['unknown', ''], []],
  ] as const)
    it(`of ${JSON.stringify(words)} is ${JSON.stringify(expected)}`, () =>
      assert.deepEqual(completed(...words), [...expected]))
})

describe('the page of the manual', () => {
  it('has every command with each of its options, and nothing that roff would obey', () => {
    const page = manualOf(definitions, '1.2.3')
    for (const { name, options } of definitions) {
      assert.match(page, new RegExp(`^perigee ${name.replaceAll('-', String.raw`\\-`)}\\b`, 'm'))
      for (const [option, { help }] of Object.entries(options))
        if (help !== null) assert.ok(page.includes(`\\-\\-${option.replaceAll('-', '\\-')}`), option)
    }
    for (const line of page.split('\n').filter((each) => /^[.']/.test(each)))
      assert.match(line, /^\.(?:TH|SH|SS|TP|PP|B|I|RI|nf|fi)\b/)
  })
})
