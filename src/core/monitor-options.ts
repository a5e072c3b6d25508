import type { Fields } from './error.ts'
import type { MonitorSettings } from './monitor.ts'

export type OptionRules = {
  /** Problems are named `check_options.<key>`. */
  parseOptions: (
    options: Record<string, unknown>,
  ) => { ok: true; value: Record<string, unknown> } | { ok: false; fields: Fields }
  /** Members that are encrypted at rest and never returned (decisions.md A9). */
  secretOptions: readonly string[]
}

export type DecidedOptions = {
  publicOptions: Record<string, unknown>
  secretOptions: Record<string, unknown>
  fields: Fields
}

type Held = Pick<MonitorSettings, 'check_options' | 'secret_options'>

/**
 * `check_options` of a create (`held` null) or a change. Given ones replace the old whole, but a secret that is left
 * out is kept and one that is null is cleared (decisions.md C17).
 */
export function decideOptions(
  given: Record<string, unknown> | undefined,
  held: Held | null,
  rules: OptionRules,
): DecidedOptions {
  const wanted = { ...held?.secret_options, ...(given ?? held?.check_options) }
  const isSecret = ([key]: [string, unknown]): boolean => rules.secretOptions.includes(key)
  const present = Object.entries(wanted).filter((entry) => !(entry[1] === null && isSecret(entry)))
  const parsed = rules.parseOptions(Object.fromEntries(present))
  if (!parsed.ok) return { publicOptions: {}, secretOptions: {}, fields: parsed.fields }
  const entries = Object.entries(parsed.value)
  return {
    publicOptions: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    secretOptions: Object.fromEntries(entries.filter(isSecret)),
    fields: {},
  }
}
