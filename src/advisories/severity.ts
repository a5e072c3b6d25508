import cvss from 'ae-cvss-calculator'
import type { Severity } from '#core/software/advisory.ts'

export type Rating = { severity: Severity | null; score: number | null }

export const unrated: Rating = { severity: null, score: null }

/**
 * Rates by the newest version of CVSS among the vectors, by its base metrics alone. Unrated where no vector can be
 * read.
 */
export function rateVectors(vectors: readonly string[]): Rating {
  for (const { prefix, metrics, score } of versions) {
    for (const vector of vectors.filter((text) => text.startsWith(prefix)).slice(0, maxVectors)) {
      const base = baseOf(vector, prefix, metrics)
      if (base === null) continue
      const rated = rateScore(score(base))
      if (rated !== unrated) return rated
    }
  }
  return unrated
}

/** The bands of CVSS 3 and 4 (sections 5 and 6). A score of 0.0 counts as low. */
export function rateScore(score: number): Rating {
  if (!(score >= 0 && score <= 10)) return unrated
  if (score >= 9) return { severity: 'critical', score }
  if (score >= 7) return { severity: 'high', score }
  return { severity: score >= 4 ? 'medium' : 'low', score }
}

/** Rates the words of databases: `HIGH`, `Moderate`. */
export function rateWord(word: string | undefined): Rating {
  return { severity: severityOfWord.get(word?.toLowerCase() ?? '') ?? null, score: null }
}

const severityOfWord: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'critical'],
  ['high', 'high'],
  ['important', 'high'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['low', 'low'],
])

/** Limit of vectors of one CVSS version; records have one or two. */
const maxVectors = 10

/** Each metric is written with the values that it can have. */
type CvssVersion = { prefix: string; metrics: readonly string[]; score: (base: string) => number }

const metricsOf3 = ['AV:NALP', 'AC:LH', 'PR:NLH', 'UI:NR', 'S:UC', 'C:HLN', 'I:HLN', 'A:HLN']
const impactsOf4 = ['VC:HLN', 'VI:HLN', 'VA:HLN', 'SC:HLN', 'SI:HLN', 'SA:HLN']
const metricsOf4 = ['AV:NALP', 'AC:LH', 'AT:NP', 'PR:NLH', 'UI:NPA', ...impactsOf4]
const metricsOf2 = ['AV:LAN', 'AC:HML', 'Au:MSN', 'C:NPC', 'I:NPC', 'A:NPC']

/** The newest first. Vectors of version 2 have no prefix. */
const versions: readonly CvssVersion[] = [
  { prefix: 'CVSS:4.0/', metrics: metricsOf4, score: (base) => new cvss.Cvss4P0(base).calculateScores().overall },
  { prefix: 'CVSS:3.1/', metrics: metricsOf3, score: (base) => new cvss.Cvss3P1(base).calculateScores().overall },
  { prefix: 'CVSS:3.0/', metrics: metricsOf3, score: (base) => new cvss.Cvss3P0(base).calculateScores().overall },
  { prefix: '', metrics: metricsOf2, score: (base) => new cvss.Cvss2(base).calculateScores().overall },
]

/**
 * The base metrics of a vector, without those that depend on time and place. Null where one is missing or has a wrong
 * value.
 */
function baseOf(vector: string, prefix: string, metrics: readonly string[]): string | null {
  if (vector.length > maxVectorLength) return null
  const values = new Map(vector.slice(prefix.length).split('/').map(splitMetric))
  const base = metrics.map((metric) => {
    const [name, allowed] = splitMetric(metric)
    const value = values.get(name) ?? ''
    return value.length === 1 && allowed.includes(value) ? `${name}:${value}` : null
  })
  return base.includes(null) ? null : prefix + base.join('/')
}

const maxVectorLength = 500

function splitMetric(part: string): [string, string] {
  const colon = part.indexOf(':')
  return [part.slice(0, colon), part.slice(colon + 1)]
}
