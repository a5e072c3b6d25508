import { parseArgs } from 'node:util'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { statusesToCheck, usualStatuses } from '#core/monitors/expected-statuses.ts'
import { usualKind } from '#core/monitors/kind-traits.ts'
import { monitorInputSchema } from '#core/monitors/monitor.ts'
import { kinds } from '#kinds/index.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { checkDefinition, usualTimeoutMs } from './definitions/checking.ts'
import { usageOf } from './definitions/definition.ts'

export type CheckOrder = { kind: AnyKind; configuration: CheckConfiguration; isJson: boolean }

/** An order, or what is wrong with the arguments, a sentence each. */
export type Parsed = { ok: true; order: CheckOrder } | { ok: false; problems: string[] }

export const checkUsage = usageOf(checkDefinition)

/** Applies the rules that a monitor of the API has to meet. */
export function parseCheckArguments(argv: readonly string[]): Parsed {
  const read = readArguments(argv)
  if (typeof read === 'string') return { ok: false, problems: [read] }
  const { values, positionals } = read
  const [url, extra] = positionals
  if (url === undefined) return { ok: false, problems: ['Name a target, such as https://example.com.'] }
  if (extra !== undefined) return { ok: false, problems: [`Give one target only. "${extra}" is one too many.`] }
  const input = monitorInputSchema.safeParse({
    name: 'check',
    kind: values.kind,
    url,
    method: values.method,
    timeout_ms: Number(values.timeout),
    keyword: values.keyword ?? null,
    request_headers: Object.fromEntries(values.header.map(splitHeader)),
  })
  if (!input.success) return { ok: false, problems: input.error.issues.map(describeIssue) }
  const kind = kinds[input.data.kind ?? usualKind]
  if (kind.isPassive)
    return {
      ok: false,
      problems: [
        `A monitor of kind "${kind.name}" has no target to check: it is called, or it follows other monitors.`,
      ],
    }
  const problem = kind.targetProblem(url, () => false)
  if (problem !== null) return { ok: false, problems: [`target: ${problem}`] }
  const options = readOptions(values.option, kind)
  if (!options.ok) return options
  const configuration: CheckConfiguration = {
    monitorId: '00000000-0000-0000-0000-000000000000',
    version: 0,
    kind: kind.name,
    url,
    method: input.data.method ?? 'GET',
    timeoutMs: input.data.timeout_ms ?? usualTimeoutMs,
    ...statusesToCheck(usualStatuses),
    keyword: input.data.keyword ?? null,
    requestHeaders: input.data.request_headers ?? {},
    requestBody: null,
    options: options.value,
  }
  return { ok: true, order: { kind, configuration, isJson: values.json } }
}

type Arguments = {
  values: {
    kind: string
    method: string
    timeout: string
    keyword?: string | undefined
    option: string[]
    header: string[]
    json: boolean
  }
  positionals: string[]
}

function readArguments(argv: readonly string[]): Arguments | string {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: checkDefinition.options,
    })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function splitHeader(text: string): [string, string] {
  const colon = text.indexOf(':')
  return colon === -1 ? [text, ''] : [text.slice(0, colon).trim(), text.slice(colon + 1).trim()]
}

function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}

type Options = { ok: true; value: Record<string, unknown> } | { ok: false; problems: string[] }

/** A value is JSON where it can be, and plain text where the kind wants text: `json_path=0` is the text "0". */
function readOptions(pairs: readonly string[], kind: AnyKind): Options {
  const texts: Record<string, string> = {}
  for (const pair of pairs) {
    const equals = pair.indexOf('=')
    if (equals < 1) return { ok: false, problems: [`--option: "${pair}" does not have the form key=value.`] }
    texts[pair.slice(0, equals)] = pair.slice(equals + 1)
  }
  const values: Record<string, unknown> = Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [key, fromJson(value)]),
  )
  const first = kind.options.safeParse(values)
  if (first.success) return { ok: true, value: first.data }
  for (const { path } of first.error.issues) {
    const [key] = path
    if (typeof key === 'string' && texts[key] !== undefined) values[key] = texts[key]
  }
  const second = kind.options.safeParse(values)
  if (second.success) return { ok: true, value: second.data }
  return { ok: false, problems: first.error.issues.map((issue) => `option ${describeIssue(issue)}`) }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
