// Advisories as the feeds write them, and what becomes of them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Advisory, AffectedProduct, AffectedRange } from '#core/software/advisory.ts'
import { feedName, feedSources } from '#core/software/feed-sources.ts'
import {
  type Finding,
  type Software,
  type Vulnerabilities,
  softwareImportSchema,
  vulnerabilitiesSchema,
} from '#core/software/vulnerability.ts'
import { replaceAdvisories } from '#store/software/advisories.ts'
import type { Database } from '#store/database/database.ts'
import { tellFindings } from '#jobs/software/finding-alerts.ts'
import { matchSoftware } from '#jobs/software/matching.ts'
import type { Answer } from './api.ts'
import { until } from './until.ts'

/** From `from` until `fixed`; from the beginning, and without an end, where they are left out. */
export type Stretch = { from?: string; fixed?: string; last?: string }

export type Told = Partial<Omit<Advisory, 'affected'>> & {
  id: string
  /** The affected product; all versions and stretches below belong to it. */
  product: string
  stretches?: Stretch[]
  versions?: string[]
} & Partial<Pick<AffectedProduct, 'isConditional' | 'mayApply'>>

function advisoryOf(told: Told): Advisory {
  const { product, stretches = [], versions = [], isConditional = false, mayApply = false, ...advisory } = told
  return {
    source: 'osv',
    aliases: [],
    publishedAt: new Date('2026-11-01T00:00:00Z'),
    modifiedAt: null,
    withdrawnAt: null,
    summary: `What is wrong with ${product}.`,
    severity: 'high',
    score: 7.5,
    url: `https://osv.dev/vulnerability/${told.id}`,
    ...advisory,
    affected: [{ product, affected: { ranges: stretches.map(rangeOf), versions }, isConditional, mayApply }],
  }
}

export function rangeOf({ from, fixed, last }: Stretch): AffectedRange {
  return { introduced: from ?? null, isIntroducedIncluded: true, fixed: fixed ?? null, lastAffected: last ?? null }
}

export async function publish(database: Database, ...told: readonly Told[]): Promise<void> {
  await database.transaction((tx) => replaceAdvisories(tx, told.map(advisoryOf)))
}

/** Compares what changed with feeds that were read, as the jobs do. Returns how many pairs are new or changed. */
export async function compare(database: Database, now: () => Date = () => new Date()): Promise<number> {
  await readFeeds(database)
  return compareUnread(database, now)
}

/** The same with whatever was read, be it nothing. */
export function compareUnread(database: Database, now: () => Date = () => new Date()): Promise<number> {
  return matchSoftware({ database, now }, new AbortController().signal)
}

/** Every feed was read to its end, unless a test says otherwise of some. */
export async function readFeeds(database: Database): Promise<void> {
  await database.pool.query(
    `insert into feeds (name, tried_at, succeeded_at)
    select name, now(), now() from unnest($1::text[]) as name
    on conflict do nothing`,
    [feedSources.map(feedName)],
  )
}

/**
 * Has a product wait to be compared with what a feed told first, whatever jobs run, until the returned function is
 * called. Needs a feed.
 */
export async function holdComparison({ pool }: Database, product: string): Promise<() => Promise<void>> {
  const client = await pool.connect()
  await pool.query(`update feeds set first_read_at = now() + interval '1 day'`)
  // A job may take it from the queue before it is held.
  await until('it is held', async () => {
    await pool.query('insert into match_queue (product) values ($1) on conflict do nothing', [product])
    await client.query('begin')
    const held = await client.query('select from match_queue where product = $1 for update', [product])
    if (held.rowCount !== 1) await client.query('rollback')
    return held.rowCount === 1
  })
  return async () => {
    await client.query('rollback')
    client.release()
    await pool.query('update feeds set first_read_at = null')
  }
}

/** Orders the alerts that are due, as the jobs do. Returns how many. */
export function tell(database: Database, now: () => Date = () => new Date()): Promise<number> {
  return tellFindings({ database, now }, new AbortController().signal)
}

/** Reads the report from an answer and asserts the answer's status. */
export function reportIn(answer: Answer, status = 200): Vulnerabilities {
  assert.equal(answer.status, status, answer.text)
  return vulnerabilitiesSchema.strip().parse(answer.body)
}

const importedSchema = z.object({ import: softwareImportSchema })

export function importIn(answer: Answer): z.infer<typeof softwareImportSchema> {
  assert.equal(answer.status, 200, answer.text)
  return importedSchema.parse(answer.body).import
}

/** `product version`, in the order of the answer. */
export function listed({ software }: Vulnerabilities): string[] {
  return software.map(({ product, version }) => (version === null ? product : `${product} ${version}`))
}

export function found({ findings }: Vulnerabilities): string[] {
  return findings.map(({ vuln_id: id }) => id)
}

export function entryOf({ software }: Vulnerabilities, product: string): Software {
  return software.find((entry) => entry.product === product) ?? assert.fail(`no ${product} in the list`)
}

export function findingIn({ findings }: Vulnerabilities, id: string): Finding {
  return findings.find(({ vuln_id: vulnId }) => vulnId === id) ?? assert.fail(`no finding ${id}`)
}

/** An exposure as the jobs begin one, of a monitor that has no such software. Returns its id. */
export async function addExposure(
  { pool }: Database,
  { monitorId, source = 'detected' }: { monitorId: string; source?: Software['source'] },
): Promise<string> {
  const id = randomUUID()
  await pool.query(
    `insert into exposures (
      id, workspace_id, monitor_key, monitor_id, monitor_name, monitor_kind, target, product, software_name, version,
      source, vulnerability, aliases, exploited_on, seen_at, opened_at
    )
    select
      $1, workspace_id, key, id, name, kind, url, 'nginx', 'nginx', '1.25.3', $3, 'CVE-2026-1001', '{}', '2026-11-10',
      now(), now()
    from monitors
    where id = $2`,
    [id, monitorId, source],
  )
  return id
}
