import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { testApi, type TestApi } from '../../../test/support/api.ts'
import { addResults, addRunningIncident, createMonitor } from '../../../test/support/monitors.ts'
import { spawnPerigee } from '../../../test/support/perigee-process.ts'
import { pseudoTerminal, screenOf } from '../../../test/support/pseudo-terminal.ts'
import { until } from '../../../test/support/until.ts'
import { listen } from '../../http/listen.ts'

const [entered, left] = ['\u001b[?1049h', '\u001b[?25h\u001b[?1049l']

async function topOf(api: TestApi, token = api.token) {
  const service = await listen(api.app, { host: '127.0.0.1', port: 0 })
  after(() => service.close(1000))
  const environment = {
    PERIGEE_URL: `http://127.0.0.1:${service.port}`,
    PERIGEE_TOKEN: token,
    TERM: 'xterm-256color',
  }
  const terminal = pseudoTerminal()
  const perigee = spawnPerigee({ args: ['top'], environment, terminal })
  const screen = (): string => screenOf(terminal.written()).join('\n')
  const shows = (what: RegExp): Promise<void> =>
    until(
      () => `${what} in\n${screen()}`,
      () => what.test(screen()),
    )
  return { service, terminal, perigee, shows, screen, environment }
}

describe('perigee top', { concurrency: 2 }, async () => {
  it('shows monitors as they become, one alone, acknowledges, and gives the terminal back', async () => {
    const api = await testApi({ rates: { readsPerMinute: 10_000 } })
    const [shop] = [await createMonitor(api), await createMonitor(api, { name: '東京' })]
    const { terminal, perigee, shows, screen } = await topOf(api)
    await shows(/^127\.0\.0\.1:\d+ {2}2 pending +\d\d:\d\d:\d\dZ$/m)
    assert.equal(screen().split('\n').length, 24)
    assert.ok(terminal.written().startsWith(entered))
    assert.ok(!terminal.isEchoing())
    await addResults(api.database, shop.id, [{ at: new Date(), latencyMs: 42 }])
    await addRunningIncident(api.database, shop, new Date())
    await shows(/^.down +\d+ s {2}Shop +open: The connection was refused\.$/m)
    terminal.type('\u001b[A\u001b[A\r')
    await shows(/^down {2}Shop$/m)
    await shows(/^ {2}kind {5}http$/m)
    terminal.type('a')
    await shows(/^Shop is down: acknowledged\.$/m)
    terminal.type('\u001b')
    await shows(/^.down +\d+ s {2}Shop +acknowledged: The connection was …$/m)
    await createMonitor(api, { name: 'Later' })
    await shows(/^.pending +Later /m)
    terminal.resize({ columns: 40, rows: 10 })
    perigee.child.kill('SIGWINCH')
    await until('it fits', () => screen().split('\n').length === 10)
    assert.ok(
      screen()
        .split('\n')
        .every((line) => line.length <= 40),
      screen(),
    )
    terminal.type('q')
    assert.equal(await perigee.ended(), 0)
    await until('the screen is left', () => terminal.written().endsWith(left))
    assert.ok(terminal.isEchoing())
  })

  for (const [how, code] of [
    ['SIGTERM', 0],
    ['SIGHUP', 0],
    ['Ctrl-C', 0],
  ] as const)
    it(`gives the terminal back at ${how}`, async () => {
      const { terminal, perigee, shows } = await topOf(await testApi())
      await shows(/ {2}no monitors +\d/)
      if (how === 'Ctrl-C') terminal.type('\u0003')
      else perigee.child.kill(how)
      assert.equal(await perigee.ended(), code)
      await until('the screen is left', () => terminal.written().endsWith(left))
      assert.ok(terminal.isEchoing())
    })

  it('tells what goes wrong, and goes on', async () => {
    const api = await testApi()
    await addRunningIncident(api.database, await createMonitor(api), new Date())
    const { service, terminal, perigee, shows } = await topOf(api, api.readToken)
    await shows(/^.down /m)
    terminal.type('a')
    await shows(/^The service answered 403: /m)
    await service.close(0)
    await shows(/^The service cannot be reached: /m)
    await shows(/^.down /m)
    terminal.type('q')
    assert.equal(await perigee.ended(), 0)
  })

  it('needs a terminal, or prints the same once', async () => {
    const api = await testApi()
    const { environment, perigee: other, terminal } = await topOf(api)
    await createMonitor(api)
    const refused = spawnPerigee({ args: ['top'], environment })
    assert.equal(await refused.ended(), 2)
    assert.match(refused.stderr(), /^top needs a terminal\. Without one, use "perigee top --json"/)
    const once = spawnPerigee({ args: ['top', '--json'], environment })
    assert.equal(await once.ended(), 0)
    assert.partialDeepStrictEqual(JSON.parse(once.stdout()), { monitors: [{ name: 'Shop' }], incidents: [] })
    terminal.type('q')
    assert.equal(await other.ended(), 0)
  })
})
