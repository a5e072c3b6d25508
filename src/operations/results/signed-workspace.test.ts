import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { checksOf } from '../../../test/support/check-stream.ts'
import { editsOf } from '../../../test/support/edited-text.ts'
import { addChecks, addHistoryMonitor } from '../../../test/support/history.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { runVerify } from '../../cli/verify.ts'
import { addDays, startOf } from '#core/language/utc-day.ts'
import { type VerifiedWorkspace, isWorkspaceExport, verifyWorkspace } from '#core/proofs/verify-workspace.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { signingKeys } from '#store/installation/signing-keys.ts'
import { signNextDay } from '#store/results/signed-days.ts'
import { sumUpNextHours } from '#store/results/signed-hours.ts'
import { signedHistoryOperations } from './signed-history.ts'
import { signedWorkspaceOperations } from './signed-workspace.ts'

const day = '2031-03-10'
const next = addDays(day, 1)
const start = startOf(day).getTime()
const hour = 3_600_000

describe('the export of a workspace', async () => {
  const api = await testApi({
    operations: [...monitorOperations, ...signedHistoryOperations, ...signedWorkspaceOperations],
  })
  const { database } = api
  const other = await api.addWorkspace()
  const folder = await mkdtemp(join(tmpdir(), 'perigee-verify-'))
  after(() => rm(folder, { recursive: true }))
  await sumUpNextHours(database, new Date(start))
  const ids: string[] = []
  const counts = new Map<string, number>()
  for (let seed = 0; seed < 4; seed += 1) {
    const { id } = await createMonitor(api, { interval_seconds: 300, locations: ['amsterdam', 'boston'] })
    const history = await addHistoryMonitor(database, id)
    const made = checksOf({ intervalMs: 300_000, locations: 2, seed }, { from: start, to: start + 26 * hour })
    await addChecks(database, history, made)
    ids.push(id)
    for (const each of [day, next])
      counts.set(`${each} ${id}`, history.checks.filter(({ round }) => dayOf(round) === each).length)
  }
  ids.sort()
  const ask = (query = '') => api.get(`/export/signed-history${query}`)
  const exported = async (query = ''): Promise<string> => {
    const answer = await ask(query)
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/jsonl/)
    assert.ok(isWorkspaceExport(answer.text))
    return answer.text
  }

  it('says that nothing is signed yet', async () => {
    assert.deepEqual(verifyWorkspace(await exported()), { ok: false, line: 1, problem: 'The export has no day.' })
    while ((await sumUpNextHours(database, new Date(start + 51 * hour))) !== null);
    const keys = signingKeys(database, api.services.secrets)
    while ((await signNextDay(database, keys)) !== null);
  })

  it('proves all monitors, and all that was checked', async () => {
    const { days } = proved(await exported())
    assert.deepEqual(
      days.map((of) => [of.day, of.monitors.map(({ monitor, checks }) => [monitor, checks])]),
      [day, next].map((of) => [of, ids.map((id) => [id, counts.get(`${of} ${id}`)])]),
    )
  })

  it('leaves no one of 1,000 random edits unfound', { timeout: 120_000 }, async () => {
    for (const [query, seed] of [
      [`?from=${next}`, 23_05],
      ['?hours=none', 23_06],
    ] as const) {
      const text = await exported(query)
      const unfound = editsOf(text, { count: 1000, seed }).filter((edit) => verifyWorkspace(edit.text).ok)
      assert.deepEqual(
        unfound.map(({ what }) => what),
        [],
      )
    }
  })

  it('shows that a monitor was left out, also where its number is made to fit', async () => {
    const [left = assert.fail()] = ids
    const text = await exported(`?from=${next}&hours=none`)
    const without = text.replace(new RegExp(`.*"monitor":"${left}".*\n`), '').replace('"monitors":4', '"monitors":3')
    assert.deepEqual(verifyWorkspace(without), {
      ok: false,
      line: 5,
      problem: `The signed root of ${next} does not contain these monitors.`,
    })
  })

  it('has the roots of monitors alone where hours are not asked for', async () => {
    const { days } = proved(await exported('?hours=none'))
    assert.deepEqual(
      days.map(({ monitors }) => monitors.map(({ areHoursKept }) => areHoursKept)),
      [ids.map(() => false), ids.map(() => false)],
    )
  })

  it('shows nothing of another workspace, and says so', async () => {
    const answer = await api.get('/export/signed-history', { token: other.token })
    for (const id of ids) assert.ok(!answer.text.includes(id))
    assert.deepEqual(
      proved(answer.text).days.map(({ monitors }) => monitors),
      [[], []],
    )
  })

  it('is of the days that are asked for, and of so many hours', async () => {
    assert.deepEqual(refusalOf(await ask('?from=2031-03-11&to=2031-03-10')), [422, 'validation_failed', 'from'])
    assert.deepEqual(refusalOf(await ask('?from=2031-01-01&to=2031-03-10')), [422, 'validation_failed', 'from'])
    assert.deepEqual(refusalOf(await ask('?hours=some')), [422, 'validation_failed', 'hours'])
    const { rows } = await database.pool.query<{ size: number }>(
      'update signed_days set size = size + 40000 where monitor_id = $1 and day = $2 returning size',
      [ids[0], day],
    )
    assert.equal(rows.length, 1)
    assert.deepEqual(refusalOf(await ask()), [422, 'validation_failed', 'from'])
    assert.equal(proved(await exported(`?from=${next}`)).days.length, 1)
    await database.pool.query('update signed_days set size = size - 40000 where monitor_id = $1 and day = $2', [
      ids[0],
      day,
    ])
  })

  it('is verified by the command', async () => {
    const roots = await save('roots.json', (await api.get('/history/roots')).text)
    const text = await exported()
    const whole = await run(await save('workspace.jsonl', text), '--roots', roots)
    assert.equal(whole.code, 0, whole.text)
    assert.match(whole.text, /Workspace [\w-]+ of the installation/)
    assert.match(whole.text, /2031-03-10 {2}all 4 monitors that are signed of this workspace/)
    assert.match(whole.text, /2 of the roots that you gave are of these days, and agree/)
    const changed = await run(await save('changed.jsonl', text.replace(/"latency_sum_ms":\d+/, '"latency_sum_ms":1')))
    assert.equal(changed.code, 1)
    assert.match(changed.text, /The hours of 2031-03-10 are not those that were signed/)
  })

  async function save(name: string, text: string): Promise<string> {
    const file = join(folder, name)
    await writeFile(file, text)
    return file
  }
})

function proved(text: string): VerifiedWorkspace {
  const verification = verifyWorkspace(text)
  assert.ok(verification.ok, JSON.stringify(verification))
  return verification.history
}

function dayOf(round: number): string {
  return new Date(round / 1000).toISOString().slice(0, 10)
}

async function run(...argv: string[]): Promise<{ code: number; text: string }> {
  let text = ''
  const write = (part: string): void => void (text += part)
  const code = await runVerify(argv, { out: { write }, err: { write } })
  return { code, text }
}
