import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { editsOf } from '../../../test/support/edited-text.ts'
import { addDays } from '#core/language/utc-day.ts'
import { pathOf, rootOf } from './merkle-tree.ts'
import { publicSigningKey, signFor } from './signature.ts'
import {
  type DayHead,
  type ExportDay,
  type HourLeaf,
  compareHours,
  exportDaySchema,
  exportStartSchema,
  headHash,
  headText,
  historyFormat,
  lineOf,
  monitorLeafHash,
  rootOfHours,
  workspaceLeafHash,
} from './signed-history.ts'
import { isSignedHead, type Verification, verifyHistory } from './verify-history.ts'

/** RFC 8037, appendix A.1. */
const pair = {
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}
/** RFC 8032 7.1, the second test. */
const otherPair = {
  d: 'TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs',
  x: 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw',
}
const key = publicSigningKey(pair.x)
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const monitor = idOf(3)
const firstDay = '2026-11-20'

type Made = { text: string; heads: DayHead[] }

type Changes = { pair?: typeof pair; keptHours?: boolean; days?: number[][] }

/**
 * An export of days, each of which is the numbers of its hours: by default 2, none (no checks), and 3 of them. Each is
 * in trees of five monitors and of three workspaces.
 */
function makeExport(changes: Changes = {}): Made {
  const signing = changes.pair ?? pair
  const installation = publicSigningKey(signing.x).kid
  const lines = [lineOf({ format: historyFormat, installation, keys: [publicSigningKey(signing.x)], monitor })]
  const heads: DayHead[] = []
  const days = changes.days ?? [[0, 1], [], [0, 1, 2]]
  for (const [number, numbers] of days.entries()) {
    const day = addDays(firstDay, number)
    const hours = numbers.length
    const leaves = numbers.map((hour) => lineOf(leafOf(day, hour)))
    const root = rootOfHours(leaves)
    const monitors = [1, 2, 3, 4, 5].map((each) =>
      monitorLeafHash({ monitor: idOf(each), root: each === 3 ? root : 'ab'.repeat(32), size: each === 3 ? hours : 7 }),
    )
    const workspaceRoot = rootOf(monitors).toString('hex')
    const workspaces = [8, 9, 10].map((each) =>
      workspaceLeafHash({ workspace: idOf(each), root: each === 9 ? workspaceRoot : 'cd'.repeat(32), size: 5 }),
    )
    const before = heads.at(-1)
    const previous = before === undefined ? null : headHash(before)
    const head = { day, installation, previous, root: rootOf(workspaces).toString('hex'), size: 3 }
    heads.push(head)
    const proved = {
      monitor: { index: 2, path: pathOf(monitors, 2).map(toHex), root, size: hours },
      workspace: { id: idOf(9), index: 1, path: pathOf(workspaces, 1).map(toHex), size: 5 },
    }
    const isKept = changes.keptHours !== false
    lines.push(
      lineOf({
        head,
        key_id: installation,
        signature: signFor('history-day', signing, Buffer.from(headText(head))).toString('hex'),
        hours: isKept ? hours : 0,
        ...(hours === 0 ? { monitor: null, workspace: null } : proved),
      }),
    )
    if (isKept) lines.push(...leaves)
  }
  lines.push(lineOf({ days: days.length }))
  return { text: lines.map((line) => `${line}\n`).join(''), heads }
}

function leafOf(day: string, hour: number): HourLeaf {
  return {
    checks: 60,
    degraded: 1,
    down: 2,
    hour: `${day}T0${hour}:00:00Z`,
    in_maintenance: 0,
    latency_count: 58,
    latency_sum_ms: 5800 + hour,
    location: 'eu',
    monitor,
    part: 'first',
    rounds: 'ef'.repeat(32),
    up: 57,
  }
}

function toHex(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex')
}

function problemOf(verification: Verification): string {
  return verification.ok ? 'none' : verification.problem
}

describe('the verification of an export', () => {
  const { text, heads } = makeExport()

  it('adds up what is proved', () => {
    const verification = verifyHistory(text)
    assert.ok(verification.ok, problemOf(verification))
    const { history } = verification
    assert.deepEqual([history.installation, history.monitor, history.agreeingRoots], [key.kid, monitor, 0])
    assert.deepEqual(
      history.days.map(({ root }) => root),
      heads.map(headHash),
    )
    assert.deepEqual(
      history.days.map(({ day, checks, up, degraded, down, hours }) => [day, checks, up, degraded, down, hours]),
      [
        ['2026-11-20', 120, 114, 2, 4, 2],
        ['2026-11-21', 0, 0, 0, 0, 0],
        ['2026-11-22', 180, 171, 3, 6, 3],
      ],
    )
  })

  it('finds every one of 1,000 random edits', () => {
    for (const edit of editsOf(text, { count: 1000, seed: 20_261_128 }))
      assert.ok(!verifyHistory(edit.text).ok, edit.what)
  })

  it('says which line is wrong, and what is wrong with it', () => {
    const wrong = verifyHistory(text.replace('"latency_sum_ms":5801', '"latency_sum_ms":5802'))
    assert.deepEqual(wrong, {
      ok: false,
      line: 4,
      problem: 'The hours of 2026-11-20 are not those that were signed.',
    })
  })

  it('is of one day and of one hour as well', () => {
    const { text: short } = makeExport({ days: [[7]] })
    const verification = verifyHistory(short)
    assert.ok(verification.ok, problemOf(verification))
    assert.equal(verification.history.days.length, 1)
    const wrong = verifyHistory(short.replace('"latency_sum_ms":5807', '"latency_sum_ms":5808'))
    assert.match(problemOf(wrong), /^The hours of 2026-11-20 are not those that were signed/)
  })

  const disorders: [what: string, numbers: number[]][] = [
    ['an hour before the one before it', [1, 0]],
    ['an hour twice', [1, 1]],
    ['an hour twice behind another one', [0, 1, 1]],
  ]
  for (const [what, numbers] of disorders)
    it(`refuses ${what}, even where it was signed so`, () =>
      assert.equal(problemOf(verifyHistory(makeExport({ days: [numbers] }).text)), 'The hours are out of order.'))

  const halves: [what: string, changes: Partial<ExportDay>][] = [
    ['a day without its monitor', { monitor: null }],
    ['a day without its monitor and hours', { monitor: null, hours: 0 }],
    ['a day without its workspace', { workspace: null }],
    ['a day without its workspace and hours', { workspace: null, hours: 0 }],
    ['an hour that nothing proves', { monitor: null, workspace: null }],
  ]
  for (const [what, changes] of halves)
    it(`refuses ${what}`, () => {
      const lines = makeExport({ days: [[0]] }).text.split('\n')
      const day = exportDaySchema.parse(JSON.parse(lines[1] ?? ''))
      const edited = lines.with(1, lineOf({ ...day, ...changes })).join('\n')
      assert.deepEqual(verifyHistory(edited), { ok: false, line: 2, problem: '2026-11-20 is proved in part only.' })
    })

  it('says that an export without days has none, and that one was cut off', () => {
    assert.equal(problemOf(verifyHistory(makeExport({ days: [] }).text)), 'The export has no day.')
    const ends = { ok: false, line: 4, problem: 'The export ends too early.' }
    const lines = text.split('\n').slice(0, 3)
    assert.deepEqual(verifyHistory(lines.join('\n')), ends)
    assert.deepEqual(verifyHistory(`${lines.join('\n')}\n`), ends)
  })

  it('names the member that is wrong, or the line', () => {
    assert.match(problemOf(verifyHistory(text.replace('"hours":2', '"hours":-2'))), /has to stand here: hours: /)
    assert.match(problemOf(verifyHistory('[]\n')), /has to stand here: the line: /)
  })

  it('tells of hours that are not kept any more, and still proves their root', () => {
    const { text: short } = makeExport({ keptHours: false })
    const verification = verifyHistory(short)
    assert.ok(verification.ok, problemOf(verification))
    assert.deepEqual(
      verification.history.days.map(({ areHoursKept }) => areHoursKept),
      [false, true, false],
    )
    for (const edit of editsOf(short, { count: 300, seed: 7 })) assert.ok(!verifyHistory(edit.text).ok, edit.what)
  })

  it('takes no other keys than those that it is given', () => {
    const forged = makeExport({ pair: otherPair })
    assert.ok(verifyHistory(forged.text).ok)
    assert.match(problemOf(verifyHistory(forged.text, { keys: [key] })), /The key .* is not known/)
    assert.ok(verifyHistory(text, { keys: [publicSigningKey(otherPair.x), key] }).ok)
  })

  it('holds an export against roots that were kept', () => {
    const [head = assert.fail()] = heads
    const agreeing = verifyHistory(text, { roots: [head, { ...head, day: '2020-01-01' }] })
    assert.ok(agreeing.ok)
    assert.equal(agreeing.history.agreeingRoots, 1)
    const other = { ...head, root: 'ab'.repeat(32) }
    assert.match(problemOf(verifyHistory(text, { roots: [other] })), /another root than the one that was kept/)
  })

  it('refuses what is no export', () => {
    for (const each of ['', '\n', '{}\n', 'x', '[]\n{}\n', text.replaceAll('\n', '\r\n'), `${text}\n`, `\n${text}`])
      assert.ok(!verifyHistory(each).ok, JSON.stringify(each.slice(0, 20)))
  })
})

describe('a signed head', () => {
  it('needs a key that is known', () => {
    const { text } = makeExport()
    const { head, key_id, signature } = exportDaySchema.parse(JSON.parse(text.split('\n')[1] ?? ''))
    assert.ok(isSignedHead({ head, key_id, signature }, [publicSigningKey(otherPair.x), key]))
    assert.ok(!isSignedHead({ head, key_id, signature }, [publicSigningKey(otherPair.x)]))
    assert.ok(!isSignedHead({ head, key_id, signature }, []))
  })
})

describe('the hours of a day', () => {
  const leaf = leafOf(firstDay, 5)
  const earlier: [by: string, HourLeaf][] = [
    ['hour', { ...leafOf(firstDay, 4), location: 'us', part: 'late' }],
    ['location', { ...leaf, location: 'af', part: 'late' }],
    ['part', { ...leaf, part: 'first' }],
  ]
  for (const [by, before] of earlier)
    it(`are in the order of their ${by}`, () => {
      const after: HourLeaf = by === 'part' ? { ...leaf, part: 'late' } : leaf
      assert.ok(compareHours(before, after) < 0)
      assert.ok(compareHours(after, before) > 0)
    })

  it('have no order where all three are the same', () => assert.equal(compareHours(leaf, { ...leaf, checks: 1 }), 0))
})

describe('the limits of an export', () => {
  it('are 64 hashes beside a way, and 1,000 keys', () => {
    const { text } = makeExport()
    const [start, day] = text.split('\n', 2).map((line): unknown => JSON.parse(line))
    const keyed = (count: number): boolean =>
      exportStartSchema.safeParse({ ...exportStartSchema.parse(start), keys: Array.from({ length: count }, () => key) })
        .success
    assert.deepEqual([0, 1, 1000, 1001].map(keyed), [false, true, true, false])
    const { monitor: proved, ...rest } = exportDaySchema.parse(day)
    const led = (length: number): boolean =>
      exportDaySchema.safeParse({
        ...rest,
        monitor: { ...proved, path: Array.from({ length }, () => 'ab'.repeat(32)) },
      }).success
    assert.deepEqual([0, 64, 65].map(led), [true, true, false])
  })
})
