import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as pep440 from '@renovatebot/pep440'
import semver from 'semver'
import type { ProductKey } from '#core/software/software-name.ts'
import { type OsvRecord, osvRecords, rawOsvRecords } from '../support/osv-records.ts'
import { withoutSharedData } from '../support/shared-data.ts'
import { type CompiledAffected, compileAffected, isAffected } from '#advisories/affected.ts'
import { readOsv } from '#advisories/osv.ts'
import { schemeOf, versionOrder } from '#advisories/version-order.ts'

type Compare = (one: string, other: string) => number
type RawAffected = OsvRecord['affected'][number]

/** Another implementation's order of two versions; null where it has none. */
const secondOpinions: Record<string, (versions: readonly string[]) => Compare | null> = {
  PyPI: (versions) => (versions.every((version) => pep440.valid(version) !== null) ? pep440.compare : null),
  npm: bySemver,
  Go: bySemver,
  'crates.io': bySemver,
  Bitnami: bySemver,
}

const lastKnown = 'the record itself calls lower versions the last that are known to be affected; its range has no end'

/** Versions for which our findings differ from the ranges of a record, each with the reason. */
const explained = {
  'GHSA-fjq5-5j5f-mvxh Maven org.apache.servicemix.bundles:org.apache.servicemix.bundles.commons-collections 3.2.2: missed':
    lastKnown,
  'GHSA-fjq5-5j5f-mvxh Maven org.apache.servicemix.bundles:org.apache.servicemix.bundles.collections-generic 4.2: missed':
    lastKnown,
}

describe('what real advisories say of real products', { skip: withoutSharedData }, () => {
  it('is found at every bound and beside it, and nowhere else', (t) => {
    const known = versionsByProduct(osvRecords())
    const rows = new Map<
      string,
      { products: Set<string>; tests: number; missed: number; wrong: number; untold: number }
    >()
    const differences: string[] = []
    const leftOut: string[] = []
    for (const { record, raw } of rawOsvRecords()) {
      const advisory = readOsv(raw)
      for (const [name, ofPackage] of packagesOf(record)) {
        const product = productOf(advisory, ofPackage)
        if (product === null) {
          if (name !== '') leftOut.push(`${record.id} ${name}`)
          continue
        }
        const [ecosystem = ''] = (ofPackage[0]?.package?.ecosystem ?? '').split(':')
        const row = rows.get(ecosystem) ?? { products: new Set(), tests: 0, missed: 0, wrong: 0, untold: 0 }
        rows.set(ecosystem, row)
        row.products.add(name)
        const candidates = [...new Set([...(known.get(name) ?? []), ...boundsOf(ofPackage).flatMap(neighbours)])]
        for (const version of candidates) {
          const expected = expectedOf(version, ofPackage, ecosystem)
          if (expected === null) {
            row.untold += 1
            continue
          }
          row.tests += 1
          const found = isFound(product.compiled, product.key, version)
          if (found === expected) continue
          row[expected ? 'missed' : 'wrong'] += 1
          differences.push(`${record.id} ${name} ${version}: ${expected ? 'missed' : 'wrong'}`)
        }
      }
    }
    for (const [ecosystem, { products, tests, missed, wrong, untold }] of rows)
      t.diagnostic(
        `${ecosystem}: ${products.size} products, ${tests} versions, ${missed} missed, ${wrong} wrong; ${untold} without a second opinion`,
      )
    assert.deepEqual(differences, Object.keys(explained))
    assert.deepEqual(leftOut, [])
    assert.ok([...rows.values()].reduce((sum, { products }) => sum + products.size, 0) >= 60)
    assert.ok([...rows.values()].reduce((sum, { tests }) => sum + tests, 0) > 100_000)
  })
})

function bySemver(versions: readonly string[]): Compare | null {
  if (!versions.every((version) => semver.valid(version) !== null)) return null
  return (one, other) => semver.compare(one, other)
}

/** All implementations agree on versions that are nothing but numbers. */
function byNumbers(versions: readonly string[]): Compare | null {
  if (!versions.every((version) => /^\d{1,9}(?:\.\d{1,9})*$/.test(version))) return null
  return (one, other) => {
    const [left, right] = [one, other].map((version) => version.split('.').map(Number))
    for (let index = 0; index < 20; index += 1) {
      const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0)
      if (difference !== 0) return difference
    }
    return 0
  }
}

/**
 * The evaluation that OSV's schema describes, word by word; null where no other implementation can order these
 * versions.
 */
function expectedOf(version: string, ofPackage: readonly RawAffected[], ecosystem: string): boolean | null {
  if (ofPackage.some((affected) => affected.versions.includes(version))) return true
  let isExpected = false
  for (const { type, events } of ofPackage.flatMap((affected) => affected.ranges)) {
    if (type === 'GIT') continue
    const all = [version, ...events.flatMap(boundsIn)]
    const compare = byNumbers(all) ?? secondOpinions[ecosystem]?.(all) ?? null
    if (compare === null) return null
    isExpected ||= isWithin(version, events, compare)
  }
  return isExpected
}

type Event = RawAffected['ranges'][number]['events'][number]

function isWithin(version: string, events: readonly Event[], compare: Compare): boolean {
  const order = (one: Event, other: Event): number => {
    const [left = null, right = null] = [boundsIn(one)[0], boundsIn(other)[0]]
    return left === null || right === null ? Number(right === null) - Number(left === null) : compare(left, right)
  }
  let isIn = false
  for (const { introduced, fixed, last_affected: lastAffected } of events.toSorted(order)) {
    if (introduced !== undefined && (introduced === '0' || compare(version, introduced) >= 0)) isIn = true
    if (fixed !== undefined && compare(version, fixed) >= 0) isIn = false
    if (lastAffected !== undefined && compare(version, lastAffected) > 0) isIn = false
  }
  return isIn
}

/** Without the beginning of all versions. */
function boundsIn(event: Event): string[] {
  return Object.values(event).flatMap((bound) => (bound === undefined || bound === '0' ? [] : [bound]))
}

/** The versions one lower and one higher in the last number. */
function neighbours(bound: string): string[] {
  const [, head, last] = /^((?:\d+\.)*)(\d+)$/.exec(bound) ?? []
  if (head === undefined || last === undefined) return [bound]
  const number = Number(last)
  return [bound, `${head}${number + 1}`, ...(number === 0 ? [] : [`${head}${number - 1}`]), `${bound}.1`]
}

function boundsOf(ofPackage: readonly RawAffected[]): string[] {
  return ofPackage
    .flatMap(({ ranges }) => ranges)
    .filter(({ type }) => type !== 'GIT')
    .flatMap(({ events }) => events.flatMap(boundsIn))
}

function packagesOf({ affected }: OsvRecord): Map<string, RawAffected[]> {
  return Map.groupBy(affected, (one) =>
    one.package === undefined ? '' : `${one.package.ecosystem} ${one.package.name}`,
  )
}

/** All versions of each package that any record names. */
function versionsByProduct(records: readonly OsvRecord[]): Map<string, string[]> {
  const known = new Map<string, Set<string>>()
  for (const record of records)
    for (const [name, ofPackage] of packagesOf(record)) {
      const versions = known.get(name) ?? new Set()
      known.set(name, versions)
      for (const version of [...boundsOf(ofPackage), ...ofPackage.flatMap((one) => one.versions)]) versions.add(version)
    }
  return new Map([...known].map(([name, versions]) => [name, [...versions]]))
}

type Product = { key: ProductKey; compiled: CompiledAffected[] }

function productOf(advisory: ReturnType<typeof readOsv>, ofPackage: readonly RawAffected[]): Product | null {
  const named = ofPackage[0]?.package
  if (named === undefined) return null
  const bare = named.name.toLowerCase().replaceAll(/[-_.]+/g, '-')
  const parts = advisory.affected.filter(
    ({ product }) =>
      product
        .slice(product.indexOf(':') + 1)
        .toLowerCase()
        .replaceAll(/[-_.]+/g, '-') === bare,
  )
  const [first] = parts
  if (first === undefined) return null
  return {
    key: first.product,
    compiled: parts.map(({ product, affected }) => compileAffected(affected, schemeOf(product))),
  }
}

function isFound(compiled: readonly CompiledAffected[], key: ProductKey, text: string): boolean {
  const version = versionOrder(schemeOf(key)).parse(text)
  return version !== null && compiled.some((one) => isAffected(one, version))
}
