import type { Fields } from '#core/language/error.ts'
import { isSameJson } from '#core/language/json-path.ts'
import type { MonitorSettings } from './monitor.ts'
import { limitProblems, sizeProblem } from './option-limits.ts'

/**
 * An option that is encrypted at rest and never returned (docs/decisions/api-surface.md, "Secrets in options"): a
 * member by its name, or a member of each item of a list. An old and a new item are the same when all members in
 * `sameBy` are equal.
 */
export type SecretOption = string | { list: string; member: string; sameBy: readonly string[] }

export type OptionRules = {
  /** Names each problem `check_options.<key>`. */
  parseOptions: (options: Options) => ParsedOptions
  secretOptions: readonly SecretOption[]
}

type ParsedOptions = { ok: true; value: Options } | { ok: false; fields: Fields }

export type DecidedOptions = {
  publicOptions: Options
  /** A list with secrets becomes a list of the same length, whose items hold only the secret member. */
  secretOptions: Options
  fields: Fields
}

type Options = Record<string, unknown>
type Held = Pick<MonitorSettings, 'check_options' | 'secret_options'>

/**
 * Decides the `check_options` of a create (`held` is null) or a change. Given options replace all old ones, except that
 * a secret that is left out is kept and one that is null is cleared (docs/decisions/api-surface.md, "Secrets in
 * options").
 */
export function decideOptions(given: Options | undefined, held: Held | null, rules: OptionRules): DecidedOptions {
  const before = held === null ? {} : joinOptions(held.check_options, held.secret_options)
  const parsed = given === undefined ? rules.parseOptions(before) : parseGiven(given, before, rules)
  if (!parsed.ok) return { publicOptions: {}, secretOptions: {}, fields: parsed.fields }
  return { ...splitOptions(parsed.value, rules.secretOptions), fields: {} }
}

function parseGiven(given: Options, before: Options, rules: OptionRules): ParsedOptions {
  const tooLarge = sizeProblem(given, before)
  if (tooLarge !== null) return { ok: false, fields: { check_options: [tooLarge] } }
  const parsed = rules.parseOptions(keepSecrets(given, before, rules.secretOptions))
  if (!parsed.ok) return parsed
  const fields = limitProblems(parsed.value, before)
  return Object.keys(fields).length === 0 ? parsed : { ok: false, fields }
}

/** Joins the two parts in which options are stored to the form that the kind reads. */
export function joinOptions(publicOptions: Options, secretOptions: Options): Options {
  const joined = { ...publicOptions, ...secretOptions }
  for (const [name, secret] of Object.entries(secretOptions)) {
    const open = publicOptions[name]
    if (Array.isArray(open) && Array.isArray(secret))
      joined[name] = open.map((item, at) => Object.assign({}, item, secret[at]))
  }
  return joined
}

/** What is given, with the secrets from before that it leaves out, and without those that it clears. */
export function keepSecrets(given: Options, before: Options, secrets: readonly SecretOption[]): Options {
  let wanted = given
  for (const secret of secrets)
    wanted = typeof secret === 'string' ? keepMember(wanted, before, secret) : keepInList(wanted, before, secret)
  return wanted
}

function keepMember(given: Options, before: Options | undefined, name: string): Options {
  if (given[name] === null) return without(given, name)
  const held = before?.[name]
  return given[name] === undefined && held !== undefined ? { ...given, [name]: held } : given
}

function keepInList(given: Options, before: Options, secret: Exclude<SecretOption, string>): Options {
  const { list, member, sameBy } = secret
  const items = given[list]
  if (!Array.isArray(items)) return given
  const held = Array.isArray(before[list]) ? before[list].filter(isObject) : []
  const replaced = predecessors(items, held, sameBy)
  const kept = items.map((item, at) => (isObject(item) ? keepMember(item, replaced[at], member) : item))
  return { ...given, [list]: kept }
}

/** For each item the earlier one that it replaces: the first one that is the same, else the one at the same place. */
function predecessors(
  items: readonly unknown[],
  held: readonly Options[],
  sameBy: readonly string[],
): (Options | undefined)[] {
  const free = new Set(held)
  const same = items.map((item) => {
    const isSame = (other: Options): boolean =>
      isObject(item) && sameBy.every((name) => isSameJson(item[name], other[name]))
    const found = held.find((other) => free.has(other) && isSame(other))
    if (found !== undefined) free.delete(found)
    return found
  })
  return same.map((found, at) => found ?? held.slice(at, at + 1).find((other) => free.has(other)))
}

/** Takes out what is sealed, by itself or in the items of a list. */
export function splitOptions(
  options: Options,
  secrets: readonly SecretOption[],
): Pick<DecidedOptions, 'publicOptions' | 'secretOptions'> {
  const publicOptions = { ...options }
  const secretOptions: Options = {}
  for (const secret of secrets) {
    const name = typeof secret === 'string' ? secret : secret.list
    const value = options[name]
    if (value === undefined) continue
    if (typeof secret === 'string') {
      delete publicOptions[name]
      secretOptions[name] = value
    } else if (Array.isArray(value)) {
      const items = value.filter(isObject)
      publicOptions[name] = items.map((item) => without(item, secret.member))
      if (items.some((item) => item[secret.member] !== undefined))
        secretOptions[name] = items.map((item) => only(item, secret.member))
    }
  }
  return { publicOptions, secretOptions }
}

function without(options: Options, name: string): Options {
  return Object.fromEntries(Object.entries(options).filter(([key]) => key !== name))
}

function only(options: Options, name: string): Options {
  return Object.fromEntries(Object.entries(options).filter(([key]) => key === name))
}

function isObject(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
