import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { z } from 'zod'
import { testApi } from '../../../test/support/api.ts'
import { checksOf } from '../../../test/support/check-stream.ts'
import { editsOf } from '../../../test/support/edited-text.ts'
import { addChecks, addHistoryMonitor, type TestHistory } from '../../../test/support/history.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { runVerify } from '../../cli/verify.ts'
import { addDays, startOf } from '#core/language/utc-day.ts'
import { signedHeadSchema } from '#core/proofs/signed-history.ts'
import { verifyHistory } from '#core/proofs/verify-history.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { signingKeys } from '#store/installation/signing-keys.ts'
import { forgetLinesBefore, signNextDay } from '#store/results/signed-days.ts'
import { sumUpNextHours } from '#store/results/signed-hours.ts'
import { readSigningKeySet } from '#operations/signing-keys.ts'
import { signedHistoryOperations } from './signed-history.ts'

const day = '2031-03-10'
const start = startOf(day).getTime()
const hour = 3_600_000

const headsSchema = z.object({
  data: z.array(signedHeadSchema.extend({ hash: z.string(), countersignatures: z.array(z.never()) })),
  since: z.string().nullable(),
})

describe('the export of signed history', async () => {
  const api = await testApi({ operations: [...monitorOperations, ...signedHistoryOperations] })
  const { database } = api
  const folder = await mkdtemp(join(tmpdir(), 'perigee-verify-'))
  after(() => rm(folder, { recursive: true }))
  await sumUpNextHours(database, new Date(start))
  const monitors: TestHistory[] = []
  for (let seed = 0; seed < 3; seed += 1) {
    const { id } = await createMonitor(api, { interval_seconds: 300, locations: ['amsterdam', 'boston'] })
    const history = await addHistoryMonitor(database, id)
    const to = start + 30 * hour
    await addChecks(database, history, checksOf({ intervalMs: 300_000, locations: 2, seed }, { from: start, to }))
    monitors.push(history)
  }
  const [history = assert.fail()] = monitors
  const ask = (query = '', id = history.id) => api.get(`/monitors/${id}/signed-history${query}`)
  const exported = async (query = ''): Promise<string> => {
    const answer = await ask(query)
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/jsonl/)
    return answer.text
  }
  const save = async (name: string, text: string): Promise<string> => {
    const file = join(folder, name)
    await writeFile(file, text)
    return file
  }

  it('says that nothing is signed yet', async () => {
    assert.deepEqual((await api.get('/history/roots')).body, { data: [], since: null })
    assert.deepEqual(verifyHistory(await exported()), { ok: false, line: 1, problem: 'The export has no day.' })
    while ((await sumUpNextHours(database, new Date(start + 51 * hour))) !== null);
    const keys = signingKeys(database, api.services.secrets)
    while ((await signNextDay(database, keys)) !== null);
  })

  it('proves all that was checked', async () => {
    const verification = verifyHistory(await exported())
    assert.ok(verification.ok, JSON.stringify(verification))
    assert.deepEqual(
      verification.history.days.map(({ day: of, checks }) => [of, checks]),
      [day, addDays(day, 1)].map((of) => [of, countChecks(history, of)]),
    )
  })

  it('names no other monitor', async () => {
    const text = await exported()
    for (const { id } of monitors.slice(1)) assert.ok(!text.includes(id))
  })

  it('leaves no one of 1,000 random edits unfound', { timeout: 120_000 }, async () => {
    const text = await exported()
    const unfound = editsOf(text, { count: 1000, seed: 23_04 }).filter((edit) => verifyHistory(edit.text).ok)
    assert.deepEqual(
      unfound.map(({ what }) => what),
      [],
    )
  })

  it('is of the days that are asked for', async () => {
    const verification = verifyHistory(await exported(`?from=${addDays(day, 1)}&to=${addDays(day, 5)}`))
    assert.ok(verification.ok)
    assert.deepEqual(
      verification.history.days.map(({ day: of }) => of),
      [addDays(day, 1)],
    )
    assert.deepEqual(refusalOf(await ask(`?from=2031-03-11&to=2031-03-10`)), [422, 'validation_failed', 'from'])
    assert.deepEqual(refusalOf(await ask(`?from=2031-01-01&to=2031-03-10`)), [422, 'validation_failed', 'from'])
    assert.match(await exported('?from=2030-01-01&to=2030-01-02'), /\n\{"days":0\}\n$/)
    assert.deepEqual(refusalOf(await ask(`?from=yesterday`)), [422, 'validation_failed', 'from'])
  })

  it('lists the roots with their hashes', async () => {
    const { data, since } = headsSchema.parse((await api.get('/history/roots')).body)
    assert.equal(since, day)
    assert.deepEqual(
      data.map(({ head }) => head.day),
      [day, addDays(day, 1)],
    )
    assert.equal(data[1]?.head.previous, data[0]?.hash)
  })

  it('is verified by the command, against keys and roots that were kept', async () => {
    const file = await save('history.jsonl', await exported())
    const bare = await run(file)
    assert.equal(bare.code, 0)
    assert.match(bare.text, /^Unchanged since the roots of these days left the operator\./)
    assert.match(bare.text, /The keys came with the export/)
    const keys = await save('keys.json', JSON.stringify(await readSigningKeySet(api.services)))
    const roots = await save('roots.json', (await api.get('/history/roots')).text)
    const whole = await run(file, '--keys', keys, '--roots', roots)
    assert.equal(whole.code, 0, whole.text)
    assert.match(whole.text, /2 of the roots that you gave are of these days, and agree/)
    const changed = await save(
      'changed.jsonl',
      (await exported()).replace(/"latency_sum_ms":\d+/, '"latency_sum_ms":1'),
    )
    const found = await run(changed)
    assert.equal(found.code, 1)
    assert.match(
      found.text,
      /^Changed, or not whole\. Line \d+: The hours of 2031-03-10 are not those that were signed/,
    )
    assert.equal((await run(join(folder, 'nothing'))).code, 1)
    assert.match((await run(file, '--keys', roots)).text, /roots\.json is not what the service answers/)
    await assert.rejects(run(), /Name one file/)
  })

  it('keeps the proof of days whose hours are forgotten', async () => {
    await forgetLinesBefore(database, addDays(day, 1))
    const verification = verifyHistory(await exported())
    assert.ok(verification.ok, JSON.stringify(verification))
    assert.deepEqual(
      verification.history.days.map(({ areHoursKept }) => areHoursKept),
      [false, true],
    )
  })
})

async function run(...argv: string[]): Promise<{ code: number; text: string }> {
  let text = ''
  const write = (part: string): void => void (text += part)
  const code = await runVerify(argv, { out: { write }, err: { write } })
  return { code, text }
}

function countChecks({ checks }: TestHistory, of: string): number {
  return checks.filter(({ round }) => new Date(round / 1000).toISOString().startsWith(of)).length
}
