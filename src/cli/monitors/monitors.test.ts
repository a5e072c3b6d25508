import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { testApi, type TestApi } from '../../../test/support/api.ts'
import { addResults, addRunningIncident, createMonitor } from '../../../test/support/monitors.ts'
import { type PerigeeOptions, spawnPerigee } from '../../../test/support/perigee-process.ts'
import { pseudoTerminal } from '../../../test/support/pseudo-terminal.ts'
import { until } from '../../../test/support/until.ts'
import { listen } from '../../http/listen.ts'

type Ran = readonly [code: number | string, lines: string[], err: string]

async function commandsOf(api: TestApi) {
  const service = await listen(api.app, { host: '127.0.0.1', port: 0 })
  after(() => service.close(1000))
  const reached = { PERIGEE_URL: `http://127.0.0.1:${service.port}`, PERIGEE_TOKEN: api.token }
  const start = (args: string[], { environment = {}, ...more }: Partial<PerigeeOptions> = {}) =>
    spawnPerigee({ args, environment: { ...reached, ...environment }, ...more })
  const run = async (args: string[], options: Partial<PerigeeOptions> = {}): Promise<Ran> => {
    const perigee = start(args, options)
    const code = await perigee.ended()
    return [code, perigee.stdout().split('\n').slice(0, -1), perigee.stderr()]
  }
  return { run, start }
}

describe('perigee monitors', { concurrency: 2 }, async () => {
  const api = await testApi({ rates: { readsPerMinute: 10_000, writesPerMinute: 10_000 }, plan: 'pro' })
  const { run, start } = await commandsOf(api)
  const shop = await createMonitor(api, { name: 'Shop', tags: ['web'] })
  const [twin] = await Promise.all([
    createMonitor(api, { name: 'Shop archive', url: 'https://old.example.com' }),
    createMonitor(api, { name: '東京', kind: 'tcp', url: 'tokyo.example.com:443' }),
  ])
  const now = Date.now()
  await addResults(api.database, shop.id, [{ at: new Date(now - 120_000), latencyMs: 42 }])

  it('lists them, with the columns of wide characters right', async () => {
    const [code, lines, err] = await run(['monitors', 'list'])
    assert.deepEqual([code, err, lines[0]], [0, '', 'STATE    NAME          KIND  CHECKED  TARGET'])
    assert.equal(
      lines.find((line) => line.includes('東京')),
      'pending  東京          tcp   never    tokyo.example.com:443',
    )
  })

  it('lists those that are asked for, and tells what the service refuses', async () => {
    assert.equal((await run(['monitors', 'list', '--name', 'old', '--kind', 'tcp']))[1].length, 1)
    const [code, [text = '']] = await run(['monitors', 'list', '--tag', 'web', '--json'])
    assert.equal(code, 0)
    assert.partialDeepStrictEqual(JSON.parse(text), { monitors: [{ id: shop.id, name: 'Shop', tags: ['web'] }] })
    const [refused, , err] = await run(['monitors', 'list', '--kind', 'web'])
    assert.equal(refused, 1)
    assert.match(err, /^The service answered 400: /)
  })

  it('shows one by its id, its name, or a part of it', async () => {
    for (const name of [shop.id, 'Shop', '東']) assert.equal((await run(['monitors', 'show', name]))[0], 0)
    const [, lines] = await run(['monitors', 'show', shop.id.toUpperCase()])
    assert.match(lines.join('\n'), /^\w+ {2}Shop\n\n {2}target {3}https:\/\/example\.com\n {2}kind {5}http\n/)
    assert.match(lines.join('\n'), /\nLATEST RESULTS\n {2}\d+ (?:s|min) ago +up +\S+ +42 ms$/)
    const [, [text = '']] = await run(['monitors', 'show', 'Shop', '--json'])
    assert.partialDeepStrictEqual(JSON.parse(text), { data: { id: shop.id }, results: [{ latency_ms: 42 }] })
  })

  it('lists the candidates where a name could be several, and says that there is none', async () => {
    const [code, lines, err] = await run(['monitors', 'show', 'hop'])
    assert.deepEqual([code, lines], [1, []])
    assert.deepEqual(
      err.split('\n').toSorted(),
      [
        '',
        `  ${shop.id}  Shop  https://example.com`,
        `  ${twin.id}  Shop archive  https://old.example.com`,
        '2 monitors match "hop". Give more of the name, or an id:',
      ].toSorted(),
    )
    assert.deepEqual(await run(['monitors', 'show', 'x%']), [1, [], 'No monitor matches "x%".\n'])
    assert.match((await run(['monitors', 'show', randomUUID()]))[2], /^The service answered 404: /)
  })

  it('pauses and resumes all or none of those that are named', async () => {
    const names = ['Shop archive', '東京']
    assert.equal((await run(['monitors', 'pause', 'Shop archive', 'Nowhere']))[0], 1)
    assert.deepEqual(await run(['monitors', 'pause', ...names]), [
      0,
      ['Shop archive is paused.', '東京 is paused.'],
      '',
    ])
    assert.equal((await run(['monitors', 'list', '--status', 'paused']))[1].length, 3)
    const [code, [text = '']] = await run(['monitors', 'resume', ...names, '--json'])
    assert.equal(code, 0)
    assert.partialDeepStrictEqual(JSON.parse(text), {
      monitors: [{ id: twin.id, status: 'enabled' }, { name: '東京' }],
    })
    const [refused, , err] = await run(['monitors', 'pause', 'Shop'], { environment: { PERIGEE_TOKEN: api.readToken } })
    assert.equal(refused, 1)
    assert.match(err, /^The service answered 403: /)
  })

  it('deletes none without a yes, and with it for good', async () => {
    await createMonitor(api, { name: 'Doomed' })
    const [code, lines, err] = await run(['monitors', 'delete', 'Doomed'])
    assert.deepEqual([code, lines], [2, []])
    assert.match(
      err,
      /^Deleting a monitor also deletes its results permanently\. There is no terminal to ask you in, so give --yes to confirm\.\n/,
    )
    for (const [answer, codes, end] of [
      ['\n', 1, 'Nothing was deleted.'],
      ['y\n', 0, 'Doomed and its results were deleted.'],
    ] as const) {
      const terminal = pseudoTerminal()
      const perigee = start(['monitors', 'delete', 'Doomed'], { terminal })
      await until('it asks', () => terminal.written().includes('Permanently delete Doomed and all results? [y/N] '))
      terminal.type(answer)
      assert.equal(await perigee.ended(), codes)
      await until('it says so', () => terminal.written().includes(end))
    }
    assert.match((await run(['monitors', 'delete', 'Doomed', '--yes']))[2], /^No monitor matches "Doomed"\.\n$/)
  })

  it('has colours in a terminal, and only there or where they are forced', async () => {
    const green = '\u001b[90mpending'
    for (const [environment, hasColours] of [
      [{ TERM: 'xterm-256color' }, true],
      [{ TERM: 'xterm-256color', NO_COLOR: '1' }, false],
      [{ TERM: 'dumb' }, false],
    ] as const) {
      const terminal = pseudoTerminal({ columns: 40, rows: 24 })
      assert.equal(await start(['monitors', 'list'], { terminal, environment }).ended(), 0)
      await until('it is written', () => terminal.written().includes('東京'))
      assert.equal(terminal.written().includes(green), hasColours, JSON.stringify(environment))
      assert.equal(terminal.written().includes('\u001b'), hasColours)
      assert.match(terminal.written(), /tokyo\S*…\r\n/)
    }
    for (const [environment, hasColours] of [
      [{}, false],
      [{ FORCE_COLOR: '1' }, true],
      [{ FORCE_COLOR: '0' }, false],
    ] as const) {
      const [, lines] = await run(['monitors', 'list'], { environment })
      assert.equal(lines.join('\n').includes(green), hasColours, JSON.stringify(environment))
    }
  })

  for (const [args, problem] of [
    [['monitors'], /^Name an action: list, show, pause, resume or delete\.\n/],
    [['monitors', 'list', 'Shop'], /^list does not take a name\. /],
    [['monitors', 'pause'], /^Name a monitor by its name or its id\./],
    [['monitors', 'pause', 'Shop', '--yes'], /^--yes only works with delete\.\n/],
    [['monitors', 'show', 'a', 'b'], /^show takes one monitor\. /],
    [['incidents', 'ack'], /^Name an incident by its id or its monitor, or give --all\./],
    [['incidents', 'ack', 'Shop', '--all'], /^Name an incident by its id or its monitor, or give --all\./],
    [['incidents', 'list', '--all'], /^--all only works with ack\.\n/],
  ] as const)
    it(`answers "${args.join(' ')}" with its usage and exit code 2`, async () => {
      const [code, lines, err] = await run([...args])
      assert.deepEqual([code, lines], [2, []])
      assert.match(err, problem)
      assert.match(err, /\nperigee (?:monitors|incidents) list /)
    })
})

describe('perigee incidents', async () => {
  const api = await testApi()
  const { run } = await commandsOf(api)

  it('lists what is not resolved, and acknowledges it', async () => {
    assert.deepEqual(await run(['incidents', 'list']), [0, ['No ongoing incidents.'], ''])
    const [shop, blog] = [await createMonitor(api), await createMonitor(api, { name: 'Blog' })]
    const began = new Date(Date.now() - 3 * 3_600_000)
    const id = await addRunningIncident(api.database, shop, began)
    await addRunningIncident(api.database, blog, began)
    const [, lines] = await run(['incidents', 'list'])
    assert.equal(lines[0], 'STATE  BEGAN    MONITOR  CAUSE')
    assert.equal(
      lines.filter((line) => /^open {3}3 h ago {2}(?:Shop|Blog) +The connection was refused\.$/.test(line)).length,
      2,
    )
    assert.deepEqual(await run(['incidents', 'ack', id]), [0, ['Shop is down: acknowledged.'], ''])
    assert.deepEqual(await run(['incidents', 'ack', '--all']), [0, ['Blog is down: acknowledged.'], ''])
    assert.deepEqual(await run(['incidents', 'ack', 'shop']), [0, ['Shop is down: acknowledged.'], ''])
    const [, [text = '']] = await run(['incidents', 'list', '--status', 'acknowledged', '--json'])
    assert.partialDeepStrictEqual(JSON.parse(text), {
      incidents: [{ status: 'acknowledged' }, { status: 'acknowledged' }],
    })
    assert.deepEqual(await run(['incidents', 'list', '--status', 'resolved']), [0, ['No incidents match.'], ''])
    await api.post(`/monitors/${blog.id}/pause`)
    assert.deepEqual(await run(['incidents', 'ack', 'Blog']), [1, [], 'Blog has no ongoing incident.\n'])
  })
})
