import type { Fields } from '#core/language/error.ts'
import { holdsMask, maskProblem } from '#core/language/mask.ts'
import { type SecretOption, joinOptions, keepSecrets, splitOptions } from '#core/monitors/monitor-options.ts'

type Options = Record<string, unknown>

/** What a contact is set to beside its destination. A list with secrets is split as those of monitors are. */
export type ContactOptions = { publicOptions: Options; secretOptions: Options }

export type ContactOptionRules = {
  secretOptions: readonly SecretOption[]
  /** Names each problem `options.<key>`. What is as it was `before` is not held against anybody. */
  parseOptions: (options: Options, before: Options) => { ok: true; value: Options } | { ok: false; fields: Fields }
}

/**
 * Decides the `options` of a new contact (`held` is null) or of a change, by the rules of `check_options`: given ones
 * replace all old ones, except that a secret that is left out is kept and one that is null is cleared
 * (docs/decisions/api-surface.md, "Secrets in options").
 */
export function decideContactOptions(
  given: Options | undefined,
  held: ContactOptions | null,
  rules: ContactOptionRules,
): ContactOptions & { fields: Fields } {
  if (given === undefined && held !== null) return { ...held, fields: {} }
  const wanted = given ?? {}
  const before = held === null ? {} : joinOptions(held.publicOptions, held.secretOptions)
  const masks = Object.fromEntries(maskFields(wanted, 'options'))
  if (Object.keys(masks).length > 0) return { ...none, fields: masks }
  const parsed = rules.parseOptions(keepSecrets(wanted, before, rules.secretOptions), before)
  return parsed.ok ? { ...splitOptions(parsed.value, rules.secretOptions), fields: {} } : { ...none, ...parsed }
}

const none: ContactOptions = { publicOptions: {}, secretOptions: {} }

/** A mask that is sent back would take the place of what it stands for. */
function maskFields(value: unknown, name: string): [field: string, problems: string[]][] {
  if (typeof value === 'string') return holdsMask(value) ? [[name, [maskProblem]]] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, each]) => maskFields(each, `${name}.${member}`))
}
