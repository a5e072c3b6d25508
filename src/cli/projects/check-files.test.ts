import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import { publicServices } from '#core/monitors/outside-services.ts'
import { UsageError } from '#cli/terminal.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { spawnPerigee } from '../../../test/support/perigee-process.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { runCheckFiles } from './check-files.ts'

const settings = () => ({ services: publicServices, dnsServers: [] })
const shown = z.object({
  project: z.string(),
  down: z.number(),
  monitors: z.array(z.object({ key: z.string(), status: z.string(), error: z.string().nullable(), place: z.string() })),
})

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' }
  const terminal = {
    out: { write: (text: string) => (written.out += text) },
    err: { write: (text: string) => (written.err += text) },
  }
  const code = await runCheckFiles(argv, terminal, settings)
  return { code, ...written }
}

describe('perigee check -f', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-checks-'))
  after(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string): string => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  let open = 0
  let most = 0
  const { port } = await httpServer((request, response) => {
    open += 1
    most = Math.max(most, open)
    const answer = (): void => {
      open -= 1
      response.writeHead(request.url === '/broken' ? 503 : 200).end('fine')
    }
    if (request.url === '/slow') setTimeout(answer, 150)
    else answer()
  })
  const silent = await rawServer(() => {})
  const free = await freePort()
  const url = `http://127.0.0.1:${port}`

  it('makes every check once, in the order of the files, and skips what checks nothing', async () => {
    write(
      'all/a.yaml',
      `project: shop
defaults: { monitors: { timeout_ms: 2000 } }
monitors:
  - { key: slow, name: Slow, url: "${url}/slow", check_options: { max_latency_ms: 100 } }
  - { key: site, name: Site, url: "${url}/", keyword: fine }
  - { key: port, name: Port, kind: tcp, url: "127.0.0.1:${free}" }
`,
    )
    const second = write(
      'all/b.yml',
      `contacts: [{ key: ops, name: Ops, kind: email, destination: ops@example.com }]
monitors:
  - { key: job, name: Job, kind: heartbeat }
  - { key: both, name: Both, kind: group, check_options: { members: [site, port] } }
  - { key: off, name: Off, url: "http://127.0.0.1:${free}/", paused: true }
  - { key: broken, name: "Bro\\u202eken", url: "${url}/broken" }
`,
    )
    const { code, out, err } = await run('-f', join(folder, 'all'))
    assert.deepEqual([code, err], [1, ''])
    const lines = out.trimEnd().split('\n')
    for (const [at, expected] of [
      /^degraded {2}slow {2}Slow: \d+ ms, The answer took longer than 100 ms$/,
      /^up {8}site {2}Site: \d+ ms$/,
      /^down {6}port {2}Port: Connection refused by 127\.0\.0\.1:\d+$/,
      /^skipped {3}job {2}Job: A monitor of kind heartbeat is called and checks nothing itself\.$/,
      /^skipped {3}both {2}Both: A group follows its members\.$/,
      /^skipped {3}off {2}Off: It is paused\.$/,
      /^down {6}broken {2}Bro\\u\{202e\}ken: \d+ ms, .*503/,
      /^shop: 1 up, 1 degraded, 2 down, 3 skipped, in \d+\.\d s\.$/,
    ].entries())
      assert.match(lines[at] ?? '', expected)
    const json = shown.parse(JSON.parse((await run('--file', join(folder, 'all'), '--json')).out))
    assert.deepEqual([json.project, json.down], ['shop', 2])
    assert.deepEqual(
      json.monitors.map(({ key, status }) => `${key} ${status}`),
      ['slow degraded', 'site up', 'port down', 'job skipped', 'both skipped', 'off skipped', 'broken down'],
    )
    assert.equal(json.monitors[3]?.place, `${second}:3`)
  })

  it('ends with 0 where nothing is down, also where nothing is checked', async () => {
    const up = write('up.yaml', `project: up\nmonitors: [{ key: site, name: Site, url: "${url}/" }]\n`)
    assert.equal((await run('-f', up)).code, 0)
    const none = write('none.yaml', 'project: none\n')
    assert.deepEqual(await run('-f', none), { code: 0, out: 'none: no monitors, in 0.0 s.\n', err: '' })
  })

  it('writes JUnit XML that readers of the format take', async () => {
    const file = write(
      'junit.yaml',
      `project: junit
monitors:
  - { key: site, name: 'Site <"&', url: "${url}/" }
  - { key: words, name: Words, url: "${url}/", keyword: '"<]]>&' }
  - { key: job, name: Job, kind: heartbeat }
`,
    )
    const junit = join(folder, 'report.xml')
    assert.equal((await run('-f', file, '--junit', junit)).code, 1)
    const { suite, cases } = readJunit(readFileSync(junit, 'utf8'))
    assert.deepEqual([suite.name, suite.tests, suite.failures, suite.errors, suite.skipped], ['junit', 3, 1, 0, 1])
    const [site, words, job] = cases
    assert.deepEqual([site?.name, site?.classname, site?.outcome], ['site: Site <"&', 'junit.monitors', 'passed'])
    assert.equal(words?.outcome, 'failure')
    assert.match(words?.message ?? '', /"<\]\]>&/)
    assert.equal(words?.text, `${file}:4`)
    assert.deepEqual([job?.outcome, job?.text], ['skipped', ''])
  })

  it('makes no more checks at the same time than it may', async () => {
    const entries = Array.from({ length: 9 }, (_, at) => `  - { key: s${at}, name: S${at}, url: "${url}/slow" }`)
    const file = write('many.yaml', `project: many\nmonitors:\n${entries.join('\n')}\n`)
    most = 0
    const { code, out } = await run('-f', file, '--concurrency', '3')
    assert.equal(code, 0, out)
    assert.ok(most <= 3, `${most} at the same time`)
  })

  it('ends in time, and tells what it did not get to', async () => {
    const entries = Array.from(
      { length: 3 },
      (_, at) => `  - { key: s${at}, name: S${at}, url: "127.0.0.1:${silent.port}" }`,
    )
    const file = write(
      'late.yaml',
      `project: late\ndefaults: { monitors: { kind: tcp, timeout_ms: 60000, check_options: { expected_text: x } } }\nmonitors:\n${entries.join('\n')}\n`,
    )
    const { code, out } = await run('-f', file, '--concurrency', '2', '--deadline', '1')
    assert.equal(code, 1)
    assert.match(
      out,
      /^(?:unknown {3}s\d {2}S\d: It was not checked: all checks together may take 1 s\.\n){3}late: 3 unknown, /,
    )
  })

  it('quotes no value that came from the environment or from a file', async () => {
    write('keyword', 'hidden words\n')
    const file = write(
      'secret.yaml',
      `project: secret\nmonitors: [{ key: site, name: Site, url: "${url}/", keyword: "\${file:keyword}" }]\n`,
    )
    const junit = join(folder, 'secret.xml')
    const { code, out } = await run('-f', file, '--junit', junit)
    assert.equal(code, 1)
    assert.match(out, /Keyword "•••" not found/)
    assert.equal(readFileSync(junit, 'utf8').includes('hidden'), false)
  })

  it('ends with 2 where files are wrong, and names all that is', async () => {
    const file = write(
      'wrong.yaml',
      'project: wrong\nmonitors:\n  - { key: a, name: A, url: example.com }\n  - { key: b, name: B, kind: tcp }\n',
    )
    const { code, out, err } = await run('-f', file)
    assert.deepEqual([code, out], [2, ''])
    assert.match(
      err,
      /wrong\.yaml:3: monitors\.a\.url: Must be a URL .*\n.*wrong\.yaml:4: monitors\.b\.url: This field is required for the kind tcp\.\n$/,
    )
    assert.equal((await run('-f', join(folder, 'gone.yaml'))).code, 2)
  })

  for (const argv of [
    ['https://example.com', '-f', 'a.yaml'],
    ['-f', 'a.yaml', '--concurrency', '0'],
    ['-f', 'a.yaml', '--deadline', 'soon'],
    ['-f', 'a.yaml', '--colour'],
  ])
    it(`refuses ${argv.join(' ')}`, async () => assert.rejects(run(...argv), UsageError))

  it('says beforehand that a report cannot be written', async () => {
    const file = write('report.yaml', 'project: report\n')
    await assert.rejects(run('-f', file, '--junit', join(folder, 'no', 'report.xml')), (error) => {
      assert.ok(error instanceof UsageError)
      assert.match(error.message, /^--junit: .*report\.xml cannot be written/)
      return true
    })
  })

  it('is a command', async () => {
    const file = write('command.yaml', `project: command\nmonitors: [{ key: site, name: Site, url: "${url}/" }]\n`)
    const perigee = spawnPerigee({ args: ['check', '-f', file] })
    assert.equal(await perigee.ended(), 0, perigee.stderr())
    assert.match(perigee.stdout(), /^up {8}site {2}Site: \d+ ms\ncommand: 1 up, in \d\.\d s\.\n$/)
    const help = spawnPerigee({ args: ['check', '--file', file, '--help'] })
    assert.equal(await help.ended(), 0)
    assert.match(help.stdout(), /^perigee check -f <file or folder>\.\.\. \[options\]\n/)
  })
})

const attributes = {
  name: z.string(),
  tests: z.coerce.number(),
  failures: z.coerce.number(),
  errors: z.coerce.number(),
}
const time = z.string().regex(/^\d+\.\d{3}$/)
const told = z.strictObject({ message: z.string(), type: z.string(), text: z.string() })
const junitSchema = z.strictObject({
  testsuites: z.strictObject({
    ...attributes,
    time,
    testsuite: z.strictObject({
      ...attributes,
      skipped: z.coerce.number(),
      time,
      timestamp: z.iso.datetime({ local: true }),
      testcase: z.array(
        z.strictObject({
          name: z.string(),
          classname: z.string(),
          time,
          failure: told.optional(),
          error: told.optional(),
          skipped: z.strictObject({ message: z.string() }).optional(),
          'system-out': z.string().optional(),
        }),
      ),
    }),
  }),
})

/** Strict: what the schema of Jenkins' xunit plugin (junit-10.xsd) does not have, or has otherwise, fails. */
function readJunit(text: string) {
  assert.equal(XMLValidator.validate(text), true)
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    textNodeName: 'text',
    ignoreDeclaration: true,
    parseAttributeValue: false,
    parseTagValue: false,
    isArray: (name) => name === 'testcase',
  })
  const { testsuites } = junitSchema.parse(parser.parse(text))
  const { testsuite: suite, ...all } = testsuites
  assert.deepEqual([all.tests, all.failures, all.errors], [suite.tests, suite.failures, suite.errors])
  const cases = suite.testcase.map(({ name, classname, failure, error, skipped }) => {
    const outcome = failure ? 'failure' : error ? 'error' : skipped ? 'skipped' : 'passed'
    const why = failure ?? error
    return { name, classname, outcome, message: why?.message ?? skipped?.message ?? '', text: why?.text ?? '' }
  })
  assert.equal(suite.tests, cases.length)
  assert.equal(suite.failures, cases.filter(({ outcome }) => outcome === 'failure').length)
  assert.equal(suite.skipped, cases.filter(({ outcome }) => outcome === 'skipped').length)
  return { suite, cases }
}
