import { compileAffected, isAffected } from '../src/advisories/affected.ts'
import {
  type ParsedVersion,
  versionOrder,
  versionSchemes,
  type VersionScheme,
} from '../src/advisories/version-order.ts'
import { whole } from './support/figures.ts'

const texts = 50_000
const comparisons = 5_000_000
const products = 1_700
const rangesEach = 18
const components = 200_000

/** Measures reading and comparing a version in each order, and matching all software with all ranges. */
export async function versionOrders(): Promise<void> {
  const perSecond = new Map(versionSchemes.map((scheme) => [scheme, costOf(scheme)]))
  const { seconds, tests, hits } = matchAll()
  const ranges = products * rangesEach
  console.log(
    `${whole(components)} components read and ${whole(ranges)} ranges compiled and matched in ${seconds.toFixed(2)} s: ` +
      `${whole(tests)} tests, ${whole(hits)} hits`,
  )
  console.log(
    `version-orders: ${whole((perSecond.get('npm') ?? Number.NaN) / 1e6)} M comparisons/s of npm, goal 2; ` +
      `all matched in ${seconds.toFixed(2)} s, goal 3`,
  )
}

function costOf(scheme: VersionScheme): number {
  const { parse, compare } = versionOrder(scheme)
  const written = Array.from({ length: texts }, (_, index) => spell(scheme, index))
  const readSeconds = secondsOf(() => written.map((text) => parse(text)))
  const versions = written.map((text) => parse(text)).filter((version) => version !== null)
  if (versions.length !== texts) throw new Error(`${texts - versions.length} texts are no versions of ${scheme}`)
  const compareSeconds = secondsOf(() => compareAll(versions, compare))
  const perSecond = comparisons / compareSeconds
  console.log(
    `${scheme.padEnd(8)} ${((readSeconds * 1e6) / texts).toFixed(2)} us to read, ${whole(perSecond / 1e6)} M comparisons/s`,
  )
  return perSecond
}

function compareAll(versions: readonly ParsedVersion[], compare: (one: ParsedVersion, other: ParsedVersion) => number) {
  let sum = 0
  for (let index = 0; index < comparisons; index += 1) {
    const [one, other] = [versions[index % texts], versions[(index * 7_919) % texts]]
    if (one !== undefined && other !== undefined) sum += compare(one, other)
  }
  return sum
}

function matchAll(): { seconds: number; tests: number; hits: number } {
  let hits = 0
  let tests = 0
  const seconds = secondsOf(() => {
    hits = 0
    tests = 0
    const { parse } = versionOrder('npm')
    const compiled = Array.from({ length: products }, (_, product) =>
      Array.from({ length: rangesEach }, (__, range) => compileAffected(affectedOf(product, range), 'npm')),
    )
    for (let component = 0; component < components; component += 1) {
      const version = parse(spell('npm', component))
      for (const affected of compiled[component % products] ?? []) {
        tests += 1
        if (version !== null && isAffected(affected, version)) hits += 1
      }
    }
  })
  return { seconds, tests, hits }
}

function affectedOf(product: number, range: number) {
  const introduced = `${range}.${product % 10}.0`
  const fixed = `${range + (product % 3)}.${(product % 10) + 1}.${product % 30}`
  return { ranges: [{ introduced, isIntroducedIncluded: true, fixed, lastAffected: null }], versions: [] }
}

/** Versions as they are: three numbers, one in eight a pre-release, some of the scheme's own. */
function spell(scheme: VersionScheme, index: number): string {
  const numbers = `${index % 20}.${Math.trunc(index / 20) % 50}.${(index * 7) % 100}`
  if (index % 8 === 0) return `${numbers}${scheme === 'pypi' || scheme === 'gem' ? '.' : '-'}rc${index % 5}`
  if (index % 8 !== 1) return numbers
  return `${numbers}${own[scheme]}`
}

const own: Record<VersionScheme, string> = {
  npm: '-beta.3',
  cargo: '+build.5',
  go: '-0.20220524220425-1d687d428aca',
  nuget: '.4',
  pypi: '.post1',
  gem: '.beta2',
  maven: '.Final',
  composer: '-p2',
  debian: '-1ubuntu2.14+deb12u1',
  generic: 'k-3ubuntu1.2',
}

/** CPU time of this process in the second run: the first compiles the code. */
function secondsOf(work: () => unknown): number {
  work()
  const startedAt = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(startedAt)
  return (user + system) / 1e6
}
