// Parsers of outside text throw nothing but their own error, and take no long for what is short.
import type { Finding, Order } from '../proof.ts'
import { hostileTexts } from './damage.ts'
import { type Parser, parsers } from './parsers.ts'
import { type Random, randomOf } from './random.ts'

export type ParserRun = { runs: number; findings: Finding[]; lines: string[] }

const mark = 'parser'
/** An input is shorter than this, and no parser takes longer for it. */
const longestBytes = 4000
const quickMs = 50
const slowTries = 3
/** Between two looks at the clock. */
const batch = 20
const textsOfShort = 10_000

/** Every parser gets the same share of the time, and is left at its first fault. */
export function tryParsers(
  { seed, isShort, only, report }: Order,
  budgetMs: number,
  of: readonly Parser[] = parsers,
): ParserRun {
  const [kind, wanted, at] = only?.split(':') ?? []
  if (kind !== undefined && kind !== mark) return { runs: 0, findings: [], lines: [] }
  const chosen = of.filter(({ name }) => wanted === undefined || wanted === name)
  const findings: Finding[] = []
  const lines: string[] = []
  let runs = 0
  for (const parser of chosen) {
    const most = isShort ? textsOfShort : Infinity
    const share = { untilMs: performance.now() + budgetMs / chosen.length, most, seed }
    const { count, finding } = at === undefined ? tryParser(parser, share) : tryOne(parser, seed, Number(at))
    if (finding !== null) {
      findings.push(finding)
      report(`found: ${finding.what}`)
    }
    runs += count
    lines.push(`${parser.name}: ${count} executions`)
  }
  return { runs, findings, lines }
}

type Tried = { count: number; finding: Finding | null }

type Share = { untilMs: number; most: number; seed: number }

function tryParser(parser: Parser, { untilMs, most, seed }: Share): Tried {
  let count = 0
  while (count < most && (count % batch !== 0 || performance.now() < untilMs)) {
    const { finding } = tryOne(parser, seed, count)
    count += 1
    if (finding !== null) return { count, finding }
  }
  return { count, finding: null }
}

function tryOne(parser: Parser, seed: number, at: number): Tried {
  const what = faultOf(parser, inputOf(parser, randomOf(seed, parser.name, at)))
  return { count: 1, finding: what === null ? null : { what, case: `${mark}:${parser.name}:${at}` } }
}

function faultOf(parser: Parser, bytes: Buffer): string | null {
  const shown = JSON.stringify(bytes.toString('latin1'))
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < slowTries; attempt += 1) {
    const { user } = process.cpuUsage()
    try {
      parser.parse(bytes)
    } catch (error) {
      if (!parser.own.some((own) => error instanceof own))
        return `The parser "${parser.name}" throws ${error instanceof Error ? error.stack : String(error)} for ${shown}`
    }
    least = Math.min(least, (process.cpuUsage().user - user) / 1000)
    if (least <= quickMs) return null
  }
  return `The parser "${parser.name}" takes ${Math.round(least)} ms for ${shown}`
}

/** A text that the parser reads, changed a few times. */
function inputOf({ seeds }: Parser, random: Random): Buffer {
  let bytes: Buffer = Buffer.from(random.pick(seeds))
  const changes = 1 + random.below(6)
  for (let change = 0; change < changes; change += 1) bytes = changed(bytes, seeds, random)
  return bytes.subarray(0, longestBytes)
}

function changed(bytes: Buffer, seeds: readonly string[], random: Random): Buffer {
  const at = random.below(bytes.length + 1)
  const end = Math.min(bytes.length, at + random.below(20))
  const around = (middle: Uint8Array | string, from = at): Buffer =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(middle), bytes.subarray(from)])
  switch (random.below(8)) {
    case 0:
      return around(Uint8Array.of(random.below(256)), Math.min(bytes.length, at + 1))
    case 1:
      return around('', end)
    case 2:
      return around(bytes.subarray(at, end))
    case 3:
      return around(random.pick(hostileTexts).slice(0, 200))
    case 4:
      return around(random.pick(seeds).slice(0, random.below(200)))
    case 5:
      return around(bytes.subarray(at, end).toString('latin1').repeat(random.below(60)))
    case 6:
      return around(
        random.pick([
          ...Array.from('{}[]()<>"\'\\,:;=%&#$*+-.0123456789\n\r\t\0 '),
          '-1',
          '1e308',
          '99999999999999999999',
          'null',
          '\ud800',
        ]),
        random.chance(0.5) ? at : end,
      )
    default:
      return bytes.subarray(0, at)
  }
}
