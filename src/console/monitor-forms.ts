import { singleLocationKinds } from '#core/monitors/kind-traits.ts'
import { monitorInputSchema } from '#core/monitors/monitor.ts'
import { type DescribedKinds, optionSchemas } from '#api-document/openapi-kinds.ts'
import { type JsonSchema, toJsonSchemas } from '#api-document/openapi-schemas.ts'

/** What the console makes the forms of monitors from: the schemas by which the API reads what they send. */
export type MonitorForms = {
  /** MonitorInput. */
  input: JsonSchema
  /** `isSingle`: it takes one location. */
  kinds: Record<string, { options: JsonSchema; isPassive: boolean; isSingle: boolean }>
}

export function monitorForms(kinds: DescribedKinds): MonitorForms {
  const named = { MonitorInput: monitorInputSchema }
  const input = toJsonSchemas({ named, inline: new Map(), direction: 'input' }).get('MonitorInput') ?? {}
  const described = Object.entries(optionSchemas(kinds)).map(([name, options]) => {
    return [name, { options, isPassive: kinds[name]?.isPassive ?? false, isSingle: single.has(name) }] as const
  })
  return { input, kinds: Object.fromEntries(described) }
}

const single: ReadonlySet<string> = new Set(singleLocationKinds)
