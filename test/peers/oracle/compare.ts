import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '#core/results/result.ts'
import { checkOnce } from '../../support/check.ts'
import { type Blackbox, startBlackbox } from '../../support/peers/blackbox.ts'
import { skipReason } from '../../support/peers/daemon.ts'
import { runPlugin } from '../../support/peers/monitoring-plugins.ts'
import { agrees, type Case, expectedRow, programOf, type Row } from './case.ts'
import { pageRows, renderRow, writeRows } from './page.ts'

/** Cases of one kind that run at once; a check mostly waits, and so do the oracles. */
const concurrency = 8

/** Set by scripts/test-peers.ts: `compare`, or `write` to give the page the rows that were expected. */
const mode = process.env['PERIGEE_ORACLES']

/** Why the oracles are not asked, or false. They take a minute and want a quiet machine, so `npm test` leaves them out. */
export function oracleSkipReason(programs: readonly string[]): string | false {
  return mode === undefined
    ? 'is a part of npm run test:peers'
    : skipReason([...programs, 'prometheus-blackbox-exporter'])
}

/** Tests of every case, and that docs/verdicts.md shows them. */
export async function compareWithOracles(cases: readonly Case[]): Promise<void> {
  await compareVerdicts(cases)
  comparePage(cases)
}

export async function compareVerdicts(cases: readonly Case[]): Promise<void> {
  const modules = cases.flatMap(({ blackbox }, place) =>
    blackbox === null ? [] : [[moduleName(place), blackbox.module] as const],
  )
  const blackbox = await startBlackbox(Object.fromEntries(modules))
  describe('kinds and oracles', { concurrency }, () => {
    for (const [place, each] of cases.entries())
      it(`${each.kind.name}: ${each.name}`, () => compare(each, blackbox, moduleName(place)))
  })
}

/** The page lists the cases in their order, with the results they expect, and nothing else. */
export function comparePage(cases: readonly Case[]): void {
  for (const kind of new Set(cases.map((each) => each.kind.name)))
    it(`docs/verdicts.md shows what was found for ${kind}`, () => {
      const rows = cases.filter((each) => each.kind.name === kind).map((each) => renderRow(expectedRow(each)))
      if (mode === 'write') writeRows(kind, rows)
      assert.deepEqual(pageRows(kind), rows)
    })
}

function moduleName(place: number): string {
  return `case-${place}`
}

async function compare(each: Case, blackbox: Blackbox, module: string): Promise<void> {
  // One after the other: some of the servers bear one guest at a time.
  const verdict = await checkOnce(each.kind, { timeoutMs: 10_000, ...each.check }, each.net)
  const plugin = each.plugin === null ? null : await runPlugin(each.plugin.command)
  const probe = each.blackbox === null ? null : await blackbox.probe(module, each.blackbox.target)
  const found: Row = {
    kind: each.kind.name,
    name: each.name,
    ours: verdict.status,
    plugin:
      plugin === null || each.plugin === null ? null : { program: programOf(each.plugin.command), state: plugin.state },
    blackbox: probe?.verdict ?? null,
    why: each.why ?? null,
  }
  assert.deepEqual(found, expectedRow(each), `${verdict.error ?? 'up'}\n${plugin?.text ?? ''}`)
  if (each.error === null) assert.equal(verdict.error, null)
  else assert.match(verdict.error ?? '', each.error)
  if (probe !== null) compareFigures(verdict, probe.metrics)
  assert.equal(agrees(found), each.why === undefined, 'A reason belongs to a difference, and to nothing else.')
}

/** Compares the figures that both report besides the verdict. */
function compareFigures(verdict: Verdict, metrics: ReadonlyMap<string, number>): void {
  const end = verdict.expiry?.certificate?.notAfter
  const theirEnd = metrics.get('probe_ssl_earliest_cert_expiry')
  if (end !== undefined && theirEnd !== undefined) assert.equal(Math.floor(Date.parse(end) / 1000), theirEnd)
  const theirStatus = metrics.get('probe_http_status_code') ?? 0
  if (verdict.statusCode !== null && theirStatus !== 0) assert.equal(verdict.statusCode, theirStatus)
}
