// Judges what `npm audit --json` says, in its form of version 2 (npm 7 and newer).
import { z } from 'zod'
import type { Acceptance } from './accepted-advisories.ts'

const advisorySchema = z.object({
  name: z.string(),
  title: z.string(),
  url: z.url(),
  severity: z.string(),
  range: z.string(),
})
/** A package is named for an advisory of its own, or for the name of a package that it takes along. */
const viaSchema = z.union([z.string(), advisorySchema])
const reportSchema = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(viaSchema) })),
  metadata: z.object({ vulnerabilities: z.object({ total: z.int() }) }),
})
/** What npm writes instead of a report when the registry does not answer. */
const failureSchema = z.object({ message: z.string() })

export type Advisory = z.infer<typeof advisorySchema> & { id: string }

/** npm said nothing about advisories, which is not the same as that there are none. */
export class NoReport extends Error {}

/** Each advisory once for each package, without the packages that only take another one along. */
export function advisoriesOf(output: unknown): Advisory[] {
  const { vulnerabilities, metadata } = reportOf(output)
  const found = new Map<string, Advisory>()
  for (const { via } of Object.values(vulnerabilities))
    for (const each of via)
      if (typeof each !== 'string') {
        const id = new URL(each.url).pathname.split('/').at(-1) ?? each.url
        found.set(`${id} ${each.name} ${each.range}`, { ...each, id })
      }
  if (found.size === 0 && metadata.vulnerabilities.total > 0)
    throw new NoReport(`npm counts ${metadata.vulnerabilities.total} vulnerable packages and names no advisory.`)
  return [...found.values()]
}

/** A sentence for each advisory that is not accepted, or not any more, and for each acceptance of none. */
export function advisoryProblems(
  advisories: readonly Advisory[],
  { accepted, today }: { accepted: readonly Acceptance[]; today: string },
): string[] {
  const problems = advisories.flatMap((advisory): string[] => {
    const acceptance = accepted.find((each) => isOf(each, advisory))
    if (acceptance === undefined) return [described(advisory)]
    if (today < acceptance.until) return []
    return [`${described(advisory)} It was accepted until ${acceptance.until}: ${acceptance.because}`]
  })
  const idle = accepted.filter((each) => !advisories.some((advisory) => isOf(each, advisory)))
  return [
    ...problems,
    ...idle.map(({ id, package: name }) => `npm reports ${id} of ${name} no more: delete its entry.`),
  ]
}

function reportOf(output: unknown): z.infer<typeof reportSchema> {
  const report = reportSchema.safeParse(output)
  if (report.success) return report.data
  const failure = failureSchema.safeParse(output)
  throw new NoReport(failure.success ? failure.data.message : `npm wrote another form: ${report.error.message}`)
}

function isOf(acceptance: Acceptance, advisory: Advisory): boolean {
  return acceptance.id === advisory.id && acceptance.package === advisory.name
}

function described({ name, range, severity, title, id, url }: Advisory): string {
  return `${name} ${range} has an advisory of severity ${severity}, ${id}: ${title} (${url}).`
}
