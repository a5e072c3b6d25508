import { type DoctorReport, type DoctorVerdict, type Finding } from '#core/doctor-report.ts'
import { printable } from './table.ts'
import type { Paint, Style } from './terminal/paint.ts'
import { padded, widthOf } from './terminal/width.ts'
import { wrapped } from './terminal/wrapped.ts'

const words: Readonly<Record<DoctorVerdict, string>> = {
  bad: 'bad',
  warning: 'warning',
  not_looked_at: 'not looked at',
  good: 'good',
}

const styles: Readonly<Record<DoctorVerdict, Style>> = {
  bad: 'red',
  warning: 'yellow',
  not_looked_at: 'gray',
  good: 'green',
}

/** The worst first: that is what the reader has to see. */
const order: readonly DoctorVerdict[] = ['bad', 'warning', 'not_looked_at', 'good']

/** Where lines are not those of a terminal. */
const usualWidth = 120
const gap = '  '

/** Lines in three columns, what to do below each, and the sum at the end. `columns`: of the terminal. */
export function doctorText({ findings, counts }: DoctorReport, paint: Paint, columns: number | null): string {
  const sorted = order.flatMap((verdict) => findings.filter((each) => each.verdict === verdict))
  const widths = { verdict: widest(Object.values(words)), label: widest(sorted.map(labelOf)) }
  const width = Math.max(columns ?? usualWidth, widths.verdict + widths.label + 40)
  const lines = sorted.map((finding) => lineOf(finding, { ...widths, width, paint }))
  const sum = order.map((verdict) => `${counts[verdict]} ${summed(verdict, counts[verdict])}`).join(', ')
  return `${lines.join('')}\n${sum[0]?.toUpperCase() ?? ''}${sum.slice(1)}.\n`
}

function summed(verdict: DoctorVerdict, count: number): string {
  return verdict === 'warning' && count !== 1 ? 'warnings' : words[verdict]
}

type Shape = { verdict: number; label: number; width: number; paint: Paint }

function lineOf(finding: Finding, { verdict, label, width, paint }: Shape): string {
  const indent = verdict + label + 2 * gap.length
  const word = paint(styles[finding.verdict], padded(words[finding.verdict], verdict))
  const found = wrapped(printable(finding.found), { indent, width })
  const first = `${word}${gap}${padded(labelOf(finding), label)}${gap}${found}\n`
  if (finding.advice === null) return first
  const advice = wrapped(`→ ${printable(finding.advice)}`, { indent: indent + 2, width })
  return `${first}${' '.repeat(indent)}${advice}\n`
}

function labelOf({ check, subject }: Finding): string {
  return printable(`${check}: ${subject}`)
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(widthOf))
}
