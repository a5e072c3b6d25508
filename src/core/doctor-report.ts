import { z } from 'zod'

export const doctorVerdicts = ['good', 'warning', 'bad', 'not_looked_at'] as const
export type DoctorVerdict = (typeof doctorVerdicts)[number]

export const findingSchema = z.object({
  /** What was looked at, and which part of it. Both stay the same from release to release. */
  check: z.string(),
  subject: z.string(),
  verdict: z.enum(doctorVerdicts),
  /** What was found; for `not_looked_at`, why nothing was. A sentence or several. */
  found: z.string(),
  /** What to do. Null where nothing has to be done. */
  advice: z.string().nullable(),
})
export type Finding = z.infer<typeof findingSchema>

const count = z.int().min(0)

/** What `perigee doctor --json` prints. Members may be added; none is taken away or changes its meaning. */
export const doctorReportSchema = z.object({
  at: z.iso.datetime(),
  /** The release of the command, which may be another one than that of the service. */
  version: z.string(),
  counts: z.object({ good: count, warning: count, bad: count, not_looked_at: count }),
  /** In the order of the checks. */
  findings: z.array(findingSchema),
})
export type DoctorReport = z.infer<typeof doctorReportSchema>

/** A finding before it is known which check it belongs to. */
export type Found = Omit<Finding, 'check'>

export function good(subject: string, found: string): Found {
  return { subject, verdict: 'good', found, advice: null }
}

export function warning(subject: string, found: string, advice: string): Found {
  return { subject, verdict: 'warning', found, advice }
}

export function bad(subject: string, found: string, advice: string): Found {
  return { subject, verdict: 'bad', found, advice }
}

/** `why` nothing was looked at. */
export function notLookedAt(subject: string, why: string, advice: string | null = null): Found {
  return { subject, verdict: 'not_looked_at', found: why, advice }
}

export type Limits = {
  /** From here on it is a warning, and bad. */
  warning: number
  bad: number
}

/** The verdict on a figure that is the worse the higher it is. */
export function verdictOf(figure: number, limits: Limits): Exclude<DoctorVerdict, 'not_looked_at'> {
  if (figure >= limits.bad) return 'bad'
  return figure >= limits.warning ? 'warning' : 'good'
}

/** Advice is given only where something is not good. */
export function judged(
  subject: string,
  verdict: DoctorVerdict,
  { found, advice }: { found: string; advice: string },
): Found {
  return { subject, verdict, found, advice: verdict === 'good' ? null : advice }
}

export function doctorReport(
  findings: readonly Finding[],
  { at, version }: { at: Date; version: string },
): DoctorReport {
  const many = (verdict: DoctorVerdict): number => findings.filter((each) => each.verdict === verdict).length
  const counts = {
    good: many('good'),
    warning: many('warning'),
    bad: many('bad'),
    not_looked_at: many('not_looked_at'),
  }
  return { at: at.toISOString(), version, counts, findings: [...findings] }
}
