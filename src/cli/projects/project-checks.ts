import type { CheckConfiguration } from '#core/monitors/check.ts'
import { decideStatuses, statusesToCheck } from '#core/monitors/expected-statuses.ts'
import { usualKind } from '#core/monitors/kind-traits.ts'
import { monitorInputSchema } from '#core/monitors/monitor.ts'
import { ProjectError, type ProjectProblem } from '#core/projects/project-error.ts'
import type { Project, ProjectEntry } from '#core/projects/project.ts'
import { kinds } from '#kinds/index.ts'
import type { AnyKind } from '#kinds/kind.ts'

/** A monitor of a project, as it is checked from here, or why it is not. */
export type ProjectCheck = {
  key: string
  name: string
  kind: AnyKind
  /** `file:line` of its entry. */
  place: string
  /** Texts that came from the environment or from files, which are not to be printed. */
  outside: readonly string[]
} & ({ configuration: CheckConfiguration } | { configuration: null; reason: string })

const defaultTimeoutMs = 10_000
/** Shorter ones would be taken out of words. */
const shortestSecret = 4

/** In the order of the files. Throws ProjectError that names every target that is none. */
export function checksOf({ entries }: Project): ProjectCheck[] {
  const problems: ProjectProblem[] = []
  const checks = entries.flatMap((entry) => (entry.section === 'monitors' ? [checkOf(entry, problems)] : []))
  if (problems.length > 0) throw new ProjectError(problems)
  return checks
}

function checkOf(entry: ProjectEntry, problems: ProjectProblem[]): ProjectCheck {
  const { paused, ...fields } = entry.fields
  const input = monitorInputSchema.parse(fields)
  const kind = kinds[input.kind ?? usualKind]
  const { file, line } = entry.place
  const outside = entry.outside.flatMap((name) => textsOf(fields[name]))
  const check = { key: entry.key, name: input.name, kind, place: `${file}:${line}`, outside }
  if (kind.isPassive) return { ...check, configuration: null, reason: passiveReason(kind) }
  if (paused === true) return { ...check, configuration: null, reason: 'It is paused.' }
  const url = input.url ?? ''
  const problem =
    url === '' ? `This field is required for the kind ${kind.name}.` : kind.targetProblem(url, () => false)
  if (problem !== null) problems.push({ place: entry.place, path: `monitors.${entry.key}.url`, message: problem })
  const configuration: CheckConfiguration = {
    monitorId: '00000000-0000-0000-0000-000000000000',
    version: 0,
    kind: kind.name,
    url,
    method: input.method ?? 'GET',
    timeoutMs: input.timeout_ms ?? defaultTimeoutMs,
    ...statusesToCheck(decideStatuses(input, null)),
    keyword: input.keyword ?? null,
    requestHeaders: input.request_headers ?? {},
    requestBody: input.request_body ?? null,
    options: kind.options.parse(input.check_options ?? {}),
  }
  return { ...check, configuration }
}

function passiveReason({ name }: AnyKind): string {
  return name === 'group'
    ? 'A group follows its members.'
    : `A monitor of kind ${name} is called and checks nothing itself.`
}

/** All texts within a value, the longest first, so that none is left where a shorter one was taken out of it. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.length < shortestSecret ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value)
    .flatMap(textsOf)
    .toSorted((a, b) => b.length - a.length)
}
