import type { z } from 'zod'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { type KindName, type ProbedKind, kindTraits } from '#core/monitors/kind-traits.ts'
import type { SecretOption } from '#core/monitors/monitor-options.ts'
import type { Verdict } from '#core/results/result.ts'
import type { Net } from '#net/net.ts'

/** A check of one kind: the configuration with its options in the kind's own type. */
export type Check<Options> = Omit<CheckConfiguration, 'options'> & { options: Options }

/** Whether a host is a literal address that this installation may not dial; names are never forbidden here. */
export type ForbiddenAddress = (host: string) => boolean

export type OptionHost = { path: PropertyKey[]; host: string }

/**
 * A kind of monitor: its options, its targets, what it looks at and what that means.
 * `observe` does the I/O and never throws for what a target does; `judge` is pure.
 */
export type Kind<Options, Observation> = {
  name: ProbedKind
  /** A strict object; its problems are reported as `check_options.<key>`. */
  options: z.ZodType<Options>
  secretOptions: readonly SecretOption[]
  /** Hosts that options name, put to `isForbidden` as the target's is, and the path of the option each stands in. */
  optionHosts?: (options: Options) => OptionHost[]
  /**
   * Null when the text is a target of this kind, else what is wrong with it, as a sentence for `fields.url`.
   * Literal addresses are put to `isForbidden`; names are judged when they are dialled
   * (docs/decisions/targets-and-kinds.md, "Private addresses").
   */
  targetProblem: (url: string, isForbidden: ForbiddenAddress) => string | null
  /** Looks once. Ends by `signal`, which aborts at the check's deadline. */
  observe: (check: Check<Options>, net: Net, signal: AbortSignal) => Promise<Observation>
  judge: (observation: Observation, check: Check<Options>) => Verdict
}

/** A kind with its types closed over, as the registry and the prober use it. */
export type AnyKind = {
  name: KindName
  options: z.ZodType<Record<string, unknown>>
  secretOptions: readonly SecretOption[]
  optionHosts: (options: Record<string, unknown>) => OptionHost[]
  targetProblem: (url: string, isForbidden: ForbiddenAddress) => string | null
  /** No location checks it: a call, or other monitors, make its results. */
  isPassive: boolean
  check: (configuration: CheckConfiguration, net: Net, signal: AbortSignal) => Promise<Verdict>
}

/** What a location needs of a kind, once it has a check of it to make. */
export type LoadKind = () => Promise<Pick<AnyKind, 'check' | 'secretOptions'>>

export function loadOnce(load: LoadKind): LoadKind {
  let loading: ReturnType<LoadKind> | undefined
  return () => (loading ??= load())
}

/**
 * Closes a kind's types: the options are parsed by the kind's own schema, once for each configuration however often
 * that is checked, so that inside the kind they can be trusted.
 */
export function defineKind<Options extends Record<string, unknown>, Observation>(
  kind: Kind<Options, Observation>,
): AnyKind {
  const { name, options, secretOptions, targetProblem, observe, judge } = kind
  const parsed = new WeakMap<CheckConfiguration, Check<Options>>()
  function toCheck(configuration: CheckConfiguration): Check<Options> {
    const known = parsed.get(configuration)
    if (known !== undefined) return known
    const check = { ...configuration, options: options.parse(configuration.options) }
    parsed.set(configuration, check)
    return check
  }
  return {
    name,
    options,
    secretOptions,
    optionHosts: (given) => kind.optionHosts?.(options.parse(given)) ?? [],
    targetProblem,
    isPassive: isPassive(name),
    check: async (configuration, net, signal) => {
      const check = toCheck(configuration)
      return judge(await observe(check, net, signal), check)
    },
  }
}

type PassiveKind = { name: Exclude<KindName, ProbedKind>; options: z.ZodType<Record<string, unknown>> }

/** A kind without a target: its results come to the engine without a check. */
export function definePassiveKind(kind: PassiveKind): AnyKind {
  return {
    ...kind,
    secretOptions: [],
    optionHosts: () => [],
    targetProblem: () => null,
    isPassive: isPassive(kind.name),
    check: () => Promise.reject(new TypeError(`No location checks a monitor of kind ${kind.name}.`)),
  }
}

function isPassive(name: KindName): boolean {
  return kindTraits[name].source !== 'probed'
}
