import { readArguments } from './arguments.ts'
import { sloDefinition } from './definitions/checking.ts'
import { usageOf } from './definitions/definition.ts'
import { readService, type Service } from './service.ts'
import { UsageError } from './terminal.ts'

export const sloUsage = usageOf(sloDefinition)

const { options } = sloDefinition

export type SloOrder = {
  service: Service
  /** Names or ids; empty for all. */
  wanted: readonly string[]
  maxBurn: number | null
  allowsUnknown: boolean
  isJson: boolean
}

/** Throws UsageError, or ConfigError of what the environment says. */
export function readSloOrder(argv: readonly string[]): SloOrder {
  const { values, positionals } = readArguments(argv, options, sloUsage)
  const [verb, ...more] = positionals
  if (verb !== 'check' || more.length > 0) throw wrong('The command is "perigee slo check".')
  return {
    service: readService(values, sloUsage),
    wanted: values.slo ?? [],
    maxBurn: values['max-burn'] === undefined ? null : rateOf(values['max-burn']),
    allowsUnknown: values['allow-unknown'] ?? false,
    isJson: values.json ?? false,
  }
}

function rateOf(text: string): number {
  const rate = Number(text)
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || rate <= 0)
    throw wrong(`--max-burn: ${JSON.stringify(text)} is not a rate such as 2 or 14.4.`)
  return rate
}

function wrong(message: string): UsageError {
  return new UsageError(message, sloUsage)
}
