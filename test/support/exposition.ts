// Reads what /metrics answers as strictly as promtool does: the text format 0.0.4 of Prometheus and its naming rules.
import assert from 'node:assert/strict'

export type Sample = { name: string; labels: Readonly<Record<string, string>>; value: number }
export type Family = { type: string; help: string }
export type Exposition = {
  families: ReadonlyMap<string, Family>
  samples: readonly Sample[]
  /**
   * The value of a sample, by its name and labels in alphabetical order:
   * `perigee_checks_total{kind="http",status="up"}`.
   */
  value: (sample: string) => number | undefined
}

const line = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y
const types = new Set(['counter', 'gauge', 'histogram', 'summary'])
/** Seconds and bytes are the base units of what is measured here. */
const otherUnits = /_(milliseconds|ms|minutes|hours|days|kilobytes|megabytes|kb|mb|percent)(_|$)/

/** Throws where Prometheus or promtool would complain. */
export function parseExposition(text: string): Exposition {
  assert.ok(text.endsWith('\n'), 'the last line ends')
  const families = new Map<string, Family>()
  const samples: Sample[] = []
  const seen = new Map<string, number>()
  let current: string | null = null
  let help: [name: string, text: string] | null = null
  for (const each of text.split('\n').filter((found) => found !== '')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(each) ?? []
    if (kind === 'HELP') help = [name, rest]
    else if (kind === 'TYPE') {
      assert.ok(!families.has(name), `${name} is one block`)
      assert.equal(help?.[0], name, `${name} has a help text`)
      assert.ok(types.has(rest), each)
      assertNamed(name, rest)
      families.set(name, { type: rest, help: help?.[1] ?? '' })
      current = name
    } else {
      const sample = parseSample(each)
      const family = familyOf(sample, families)
      assert.equal(family, current, `${each} stands below its family`)
      const key = keyOf(sample)
      assert.ok(!seen.has(key), `${key} is there once`)
      seen.set(key, sample.value)
      samples.push(sample)
    }
  }
  assertHistograms(samples, families)
  return { families, samples, value: (sample) => seen.get(sample) }
}

function parseSample(text: string): Sample {
  const [, name = '', inside = '', value = ''] = line.exec(text) ?? assert.fail(`no sample: ${text}`)
  const labels: Record<string, string> = {}
  label.lastIndex = 0
  for (let end = 0; end < inside.length; end = label.lastIndex) {
    const [, key = '', content = ''] = label.exec(inside) ?? assert.fail(`no labels: ${text}`)
    assert.ok(!Object.hasOwn(labels, key), `${key} is there once: ${text}`)
    labels[key] = content
  }
  return { name, labels, value: numberOf(value) ?? assert.fail(`no number: ${text}`) }
}

/** Prometheus is written in Go and reads numbers by Go's rules. */
function numberOf(text: string): number | null {
  if (/^nan$/i.test(text)) return Number.NaN
  if (text === '+Inf') return Infinity
  return Number.isNaN(Number(text)) ? null : Number(text)
}

function assertNamed(name: string, type: string): void {
  assert.match(name, /^perigee_[a-z0-9_]+$/)
  assert.equal(name.endsWith('_total'), type === 'counter', `${name} ends as a ${type} does`)
  assert.doesNotMatch(name, otherUnits, 'base units')
  assert.doesNotMatch(name, /_(bucket|sum|count)$/)
}

function familyOf({ name }: Sample, families: ReadonlyMap<string, Family>): string {
  if (families.has(name)) return name
  const base = name.replace(/_(bucket|sum|count)$/, '')
  assert.equal(families.get(base)?.type, 'histogram', `${name} has a family`)
  return base
}

function keyOf({ name, labels }: Sample): string {
  const pairs = Object.entries(labels)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${key}="${value}"`)
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`
}

function withoutBound(labels: Sample['labels']): Sample['labels'] {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => key !== 'le'))
}

/** Buckets rise up to the one of everything, which is the count. */
function assertHistograms(samples: readonly Sample[], families: ReadonlyMap<string, Family>): void {
  for (const [name, { type }] of families) {
    if (type !== 'histogram') continue
    const own = samples.filter((sample) => sample.name === `${name}_bucket`)
    const series = Map.groupBy(own, ({ labels }) => JSON.stringify(withoutBound(labels)))
    for (const [others, buckets] of series) {
      const bounds = buckets.map(({ labels }) => (labels['le'] === '+Inf' ? Infinity : Number(labels['le'])))
      assert.deepEqual(
        bounds,
        bounds.toSorted((one, other) => one - other),
        name,
      )
      assert.equal(bounds.at(-1), Infinity, name)
      const values = buckets.map(({ value }) => value)
      assert.deepEqual(
        values,
        values.toSorted((one, other) => one - other),
        name,
      )
      const count = samples.find((each) => each.name === `${name}_count` && JSON.stringify(each.labels) === others)
      assert.equal(count?.value, values.at(-1), `${name} counts what is in its buckets`)
    }
  }
}
