import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { z } from 'zod'
import { harExample } from '../../../test/support/har-example.ts'
import { healthchecksExample } from '../../../test/support/healthchecks-example.ts'
import { testApi } from '../../../test/support/api.ts'
import { blackboxExample } from '../../../test/support/blackbox-example.ts'
import { gatusExample } from '../../../test/support/gatus-example.ts'
import { openapiExample } from '../../../test/support/openapi-example.ts'
import { postmanExample } from '../../../test/support/postman-example.ts'
import { writeKumaDatabase } from '../../../test/support/kuma-database.ts'
import { kumaExample } from '../../../test/support/kuma-example.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { spawnPerigee } from '../../../test/support/perigee-process.ts'
import { uptimeRobotExample } from '../../../test/support/uptimerobot-example.ts'
import { listen } from '../../http/listen.ts'

const report = z.looseObject({
  source: z.string(),
  project: z.string(),
  monitors: z.array(z.looseObject({ key: z.string(), keeps_address: z.boolean(), from_here: z.unknown() })),
  contacts: z.array(z.looseObject({ key: z.string() })),
  changed: z.array(z.object({ place: z.string(), message: z.string() })),
  lost: z.array(z.object({ place: z.string(), message: z.string() })),
  variables: z.array(z.string()),
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-import-test-'))
  after(() => rmSync(folder, { recursive: true }))
  return folder
}

async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const perigee = spawnPerigee({ args, environment })
  const code = await perigee.ended()
  return { code, out: perigee.stdout(), err: perigee.stderr() }
}

async function readJson(args: readonly string[]) {
  const { code, out, err } = await run(['import', ...args, '--json'])
  assert.equal(err, '')
  return { code, ...report.parse(JSON.parse(out)) }
}

/** As blocks of YAML, in which sections begin lines. */
function blocks(document: unknown): string {
  return Object.entries(Object(document))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('')
}

describe('perigee import', { concurrency: 2 }, () => {
  const folder = temporaryFolder()
  const at = (name: string): string => join(folder, name)
  writeKumaDatabase(at('kuma.db'), 2, kumaExample).close()
  writeFileSync(at('backup.json'), JSON.stringify({ version: '1.23.0', notificationList: [], monitorList: [] }))
  writeFileSync(at('checks.json'), JSON.stringify(healthchecksExample))
  writeFileSync(at('robot.json'), JSON.stringify(uptimeRobotExample))
  writeFileSync(at('robot.csv'), 'Friendly Name,URL,Type\nShop,https://shop.example.com/,HTTP(s)\n')
  writeFileSync(at('visit.har'), harExample)
  writeFileSync(at('shop.json'), postmanExample('https://shop.example.com'))
  writeFileSync(at('api.yaml'), openapiExample)
  writeFileSync(at('targets.txt'), 'https://shop.example.com/ Shop\n')
  writeFileSync(at('sitemap.xml'), '<urlset><url><loc>https://shop.example.com/</loc></url></urlset>')
  writeFileSync(at('gatus.yaml'), gatusExample.map(blocks).join('---\n'))
  mkdirSync(at('blackbox'))
  for (const [index, document] of blackboxExample.entries())
    writeFileSync(at(`blackbox/${index}.yml`), Array.isArray(document) ? JSON.stringify(document) : blocks(document))

  const guesses: [file: string, source: string, monitors: number][] = [
    ['kuma.db', 'kuma', 32],
    ['backup.json', 'kuma', 0],
    ['gatus.yaml', 'gatus', 15],
    ['checks.json', 'healthchecks', 2],
    ['robot.json', 'uptimerobot', 8],
    ['robot.csv', 'uptimerobot', 1],
    ['blackbox', 'blackbox', 14],
    ['visit.har', 'har', 1],
    ['shop.json', 'postman', 1],
    ['api.yaml', 'openapi', 2],
    ['targets.txt', 'list', 1],
    ['sitemap.xml', 'list', 1],
  ]
  for (const [file, source, monitors] of guesses)
    it(`knows ${file} by what it holds`, async () => {
      const found = await readJson([at(file), '--no-try'])
      assert.deepEqual([found.source, found.project, found.monitors.length], [source, source, monitors])
      assert.ok(found.monitors.every((monitor) => monitor.from_here === null))
    })

  it('says what arrives, what is another thing here, and what is lost', async () => {
    const { code, out, err } = await run(['import', 'kuma', at('kuma.db'), '--no-try'])
    assert.deepEqual([code, err], [2, ''])
    const lines = out.split('\n')
    assert.equal(lines[0], 'Uptime Kuma, as the project kuma')
    assert.ok(lines.some((line) => /^postgresql-port +tcp +db\.example\.com:5432$/.test(line)))
    for (const title of ['Works differently in Perigee:', 'Cannot be imported:'])
      assert.ok(lines.includes(title), title)
    assert.ok(lines.includes('The history of 2 monitors can be brought with --apply: 3 days.'))
    assert.match(
      lines.at(-2) ?? '',
      /^32 monitors, 16 contacts, 2 status pages, 5 maintenance windows\. \d+ changed, \d+ not imported\. 2 addresses of jobs can stay the same\./,
    )
  })

  it('writes a project without secrets, which reads as what arrives', async () => {
    const [project, secrets] = [at('project.yaml'), at('secrets.env')]
    const open = ['import', at('kuma.db'), '--no-try', '--output', project]
    const refused = await run(open)
    assert.deepEqual([refused.code, refused.out], [1, ''])
    assert.match(refused.err, /^The file holds 25 secrets\. Give --secrets <file>/)
    const { code } = await run([...open, '--secrets', secrets, '--project', 'shop'])
    assert.equal(code, 2)
    const text = readFileSync(project, 'utf8')
    assert.match(text, /^project: shop$/m)
    assert.ok(!text.includes('syt_abcdefgh') && text.includes('${MATRIX_ACCESS_TOKEN}'))
    assert.equal(statSync(secrets).mode & 0o777, 0o600)
    const { stdout } = await promisify(execFile)('sh', ['-c', 'set -a; . "$1"; env -0', 'sh', secrets])
    const set = stdout.split('\0').map((line): [string, string] => {
      const [name = '', ...value] = line.split('=')
      return [name, value.join('=')]
    })
    const named = new Set(Array.from(text.matchAll(/\$\{(\w+)\}/g), ([, name]) => name))
    const environment = Object.fromEntries(set.filter(([name]) => named.has(name)))
    assert.equal(environment['SHOP_2_AUTHORIZATION'], 'Basic YWRhOnPDqWNyZXQ=')
    assert.deepEqual(await run(['validate', '-f', project], environment), {
      code: 0,
      out: 'shop: contacts 16, monitors 32, status_pages 2, maintenance 5. Nothing is wrong.\n',
      err: '',
    })
    const again = await run([...open, '--inline-secrets'])
    assert.equal(again.code, 1)
    assert.match(again.err, /EEXIST/)
    const inline = at('inline.yaml')
    await run(['import', at('kuma.db'), '--no-try', '--output', inline, '--inline-secrets'])
    assert.ok(readFileSync(inline, 'utf8').includes('syt_abcdefgh'))
    assert.equal(statSync(inline).mode & 0o777, 0o600)
    assert.equal((await run(['validate', '-f', inline])).code, 0)
  })

  it('reads Gatus with the variables of its environment', async () => {
    const file = at('variables.yaml')
    writeFileSync(
      file,
      'endpoints:\n  - { name: $NAME, url: "https://${HOST}/$$a", conditions: ["[STATUS] == 200"] }\n',
    )
    const { out } = await run(['import', file, '--no-try'], { HOST: 'shop.example.com' })
    assert.match(out, /^name +http +https:\/\/shop\.example\.com\/\$a$/m)
    assert.match(out, /endpoints\[0\]: It holds the variable NAME of the environment/)
  })

  it('leaves out what the service would refuse, with what names it', async () => {
    const file = at('refused.yaml')
    const slack = { 'webhook-url': 'nonsense' }
    const alerting = JSON.stringify({ slack, discord: { 'webhook-url': 'https://discord.com/api/webhooks/1/a' } })
    const conditions = '["[STATUS] == 200"]'
    writeFileSync(
      file,
      `alerting: ${alerting}\nendpoints:\n` +
        `  - { name: good, url: "https://good.example.com/", conditions: ${conditions}, alerts: [{ type: slack }] }\n` +
        `  - { name: private, url: "http://10.0.0.5/", conditions: ${conditions}, alerts: [{ type: discord }] }\n`,
    )
    const { contacts, monitors, changed, lost } = await readJson([file, '--no-try'])
    assert.deepEqual(
      [contacts.map(({ key }) => key), monitors.map(({ key }) => key)],
      [['discord'], ['good', 'private']],
    )
    assert.ok(
      lost.some(({ place, message }) => place === 'alerting.slack' && message.startsWith('It is not imported.')),
    )
    const told = changed.map(({ place, message }) => `${place} ${message}`)
    assert.ok(
      told.includes('endpoints[0] None of its contacts is imported. All contacts of the workspace are alerted.'),
    )
    assert.ok(told.some((note) => note.startsWith('endpoints[1] Its target is a private address.')))
  })

  it('tries every check from here', async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/down' ? 500 : 200).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    const { port } = address
    const file = at('local.txt')
    const closed = await freePort()
    writeFileSync(
      file,
      [`http://127.0.0.1:${port}/ Up`, `http://127.0.0.1:${port}/down Down`, `127.0.0.1:${closed} Closed`].join('\n'),
    )
    try {
      const { code, monitors } = await readJson([file])
      assert.equal(code, 2)
      const found = monitors.map(({ key, from_here: trial }) => [key, Object(trial).status])
      assert.deepEqual(found, [
        ['up', 'up'],
        ['down', 'down'],
        ['closed', 'down'],
      ])
      const { out } = await run(['import', file])
      assert.match(out, /^down +http +\S+ +down: \S/m)
      assert.match(out, /2 of 3 checks fail from here\.\n$/)
    } finally {
      server.close()
    }
  })

  it('refuses what it cannot read, in a line', async () => {
    writeFileSync(at('broken.db'), `SQLite format 3\0${'x'.repeat(200)}`)
    writeFileSync(at('other.json'), '{"a":1}')
    const cases: [args: string[], problem: RegExp][] = [
      [[], /^Name a file\.\n/],
      [[at('gone.db')], /Cannot be read: ENOENT/],
      [[at('broken.db')], /cannot be read as a database of SQLite/],
      [[at('other.json')], /^The source was not recognized\. Name it: kuma, gatus, /],
      [['gatus', at('checks.json')], /^The file has no endpoints, so it is not a Gatus configuration\.\n$/],
      [['healthchecks', at('kuma.db')], /is a database of SQLite, and no file of this source/],
      [['kuma', at('kuma.db'), at('backup.json')], /This source has one file/],
      [[at('kuma.db'), '--project', 'A b'], /^--project: Must have/],
      [[at('kuma.db'), '--try-for', '0'], /^--try-for must be /],
      [[at('kuma.db'), '--secrets', at('x')], /^--secrets only works with --output/],
      [[at('kuma.db'), '--apply', '--finish'], /^Give only one of --apply, /],
      [[at('kuma.db'), '--undo', at('x')], /^--undo takes the record of an import/],
      [['--undo', at('x')], /^Name a service: /],
      [[at('kuma.db'), '--wrong'], /--wrong/],
    ]
    for (const [args, problem] of cases) {
      const { code, out, err } = await run(['import', ...args])
      assert.deepEqual([code, out], [1, ''], err)
      assert.match(err, problem)
    }
  })
})

describe('addresses of an import', async () => {
  const heard: string[] = []
  const api = await testApi({
    services: {
      publishResults: async (_location, results) => void heard.push(...results.map(({ monitorId }) => monitorId)),
    },
  })
  const service = await listen(api.app, { host: '127.0.0.1', port: 0 })
  after(() => service.close(1000))
  const root = `http://127.0.0.1:${service.port}`
  const folder = temporaryFolder()
  const file = join(folder, 'kuma.db')
  writeKumaDatabase(file, 2, kumaExample).close()
  const keep = () => run(['import', file, '--finish'], { PERIGEE_URL: root, PERIGEE_TOKEN: api.token })

  it('lead to the monitors of the project, as far as they are there', async () => {
    const before = await keep()
    assert.deepEqual(
      [before.code, before.out],
      [2, '0 addresses now reach their monitors. 2 have no monitor yet in the project kuma of the workspace.\n'],
    )
    const monitors = await Promise.all(
      ['Backup', 'Import'].map((name) => createMonitor(api, { name, kind: 'heartbeat' })),
    )
    const objects = monitors.map(({ id, name }) => ({ section: 'monitors', key: name.toLowerCase(), id }))
    assert.equal((await api.post('/project-objects', { project: 'kuma', objects })).status, 200)
    for (const _ of ['once', 'again']) {
      const { code, out } = await keep()
      assert.deepEqual([code, out], [0, '2 addresses now reach their monitors.\nBrought 1 day of history.\n'])
    }
    const token = kumaExample['monitor']?.find(({ name }) => name === 'Backup')?.['push_token']
    const url = `${root}/api/push/${token}?status=up&msg=OK&ping=`
    const { stdout } = await promisify(execFile)('curl', ['-fsS', '-m', '20', url])
    assert.equal(stdout, '{"ok":true}')
    assert.deepEqual(heard, [monitors[0]?.id])
  })

  it('stay where they are of another workspace', async () => {
    const other = await api.addWorkspace()
    const { id } = await createMonitor(api, { name: 'Theirs', kind: 'heartbeat' }, other.token)
    const path = '/api/push/taken-already'
    await api.post('/call-addresses', { addresses: [{ path, monitor_id: id }] }, { token: other.token })
    const [taken, free] = [join(folder, 'taken.db'), 'still-free-0000']
    const push = { type: 'push', active: 1, interval: 60 }
    writeKumaDatabase(taken, 2, {
      monitor: [
        { id: 1, name: 'Taken', push_token: 'taken-already', ...push },
        { id: 2, name: 'Free', push_token: free, ...push },
      ],
    }).close()
    const monitors = await Promise.all(['taken', 'free'].map((name) => createMonitor(api, { name, kind: 'heartbeat' })))
    const objects = monitors.map(({ id: own, name: key }) => ({ section: 'monitors', key, id: own }))
    await api.post('/project-objects', { project: 'second', objects })
    const { code, out } = await run(['import', taken, '--finish', '--project', 'second'], {
      PERIGEE_URL: root,
      PERIGEE_TOKEN: api.token,
    })
    assert.deepEqual(
      [code, out],
      [
        2,
        '! monitors.taken: its address already belongs to a monitor of another workspace, or the monitor has too many addresses.\n' +
          '1 address now reaches its monitor.\n',
      ],
    )
    heard.length = 0
    for (const token of ['taken-already', free])
      await promisify(execFile)('curl', ['-fsS', '-m', '20', `${root}/api/push/${token}`])
    assert.deepEqual(heard, [id, monitors[1]?.id])
  })
})
