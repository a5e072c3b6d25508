import type { Finding } from '../proof.ts'

export type Tally = {
  count: (name: string, status: number | null) => void
  found: (finding: Finding) => void
  findings: () => Finding[]
  total: () => number
  /** Shares of answers by class of status for each name. */
  lines: () => string[]
  /** Names that never answered 2xx. */
  neverFine: () => string[]
}

const classes = ['2xx', '3xx', '4xx', '5xx', 'none'] as const
const mostFindings = 60

export function createTally(report: (line: string) => void): Tally {
  const counts = new Map<string, Map<string, number>>()
  const findings = new Map<string, Finding>()
  let total = 0
  const shares = (name: string): string => {
    const of = counts.get(name) ?? new Map<string, number>()
    const all = [...of.values()].reduce((sum, each) => sum + each, 0)
    return classes.map((each) => `${each} ${Math.round((100 * (of.get(each) ?? 0)) / all)} %`).join(', ')
  }
  return {
    count: (name, status) => {
      const key = status === null ? 'none' : `${Math.floor(status / 100)}xx`
      const of = counts.get(name) ?? new Map<string, number>()
      counts.set(name, of.set(key, (of.get(key) ?? 0) + 1))
      total += 1
    },
    found: (finding) => {
      // Findings that differ in ids and figures alone are one.
      const key = finding.what.replaceAll(/[\da-f]{8}-[\da-f-]{27}|\d+/g, '#').slice(0, 120)
      if (findings.has(key) || findings.size >= mostFindings) return
      findings.set(key, finding)
      report(`found: ${finding.what} (${finding.case})`)
    },
    findings: () => [...findings.values()],
    total: () => total,
    lines: () => [...counts.keys()].toSorted().map((name) => `${name}: ${shares(name)}`),
    neverFine: () => [...counts].filter(([, of]) => !of.has('2xx')).map(([name]) => name),
  }
}
