import { inWords } from '#core/language/in-words.ts'
import { pricing } from '#core/money/pricing.ts'
import { decimal } from '#core/money/quote.ts'
import type { DescribedContacts } from '#api-document/openapi-contacts.ts'
import type { DescribedKinds } from '#api-document/openapi-kinds.ts'
import type { JsonSchema } from '#api-document/openapi-schemas.ts'
import type { PaymentOffer } from '#api-document/openapi.ts'
import type { AnyOperation, WorkspaceVerb } from '#operations/pipeline/operation.ts'
import { type LongList, isPaged, longLists, pageRule, sizeParameters, sizeRule } from './answer-size.ts'
import { type Finders, findersOf } from './ids.ts'
import { withContactOptions, withOptionNames } from './kind-options.ts'
import { type Described, describeOnce, inputOf, keyArgument, keyHeader, outputOf } from './tool-schemas.ts'

/** An operation as models see it. */
export type Tool = {
  operation: WorkspaceVerb
  definition: ToolDefinition
  /** What of its answer is shown in part. */
  longLists: readonly LongList[]
  /** Where the ids that it takes are found. */
  finders: Finders
}

/** As `tools/list` shows it. */
export type ToolDefinition = {
  name: string
  description: string
  inputSchema: JsonSchema & { type: 'object' }
  outputSchema?: JsonSchema & { type: 'object' }
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean }
  _meta?: { 'x-payment-info': { offers: readonly PaymentOffer[] } }
}

export type ToolOptions = {
  operations: readonly AnyOperation[]
  kinds: DescribedKinds
  contactKinds: DescribedContacts
  paymentOffers: readonly PaymentOffer[]
}

/**
 * One tool an operation that tokens may call, in the order of the documents. Text that programs read, and that has no
 * end for a model, is none.
 */
export function createTools({ operations, ...options }: ToolOptions): Tool[] {
  const offered = operations.filter((operation) => operation.actsFor === 'workspace')
  return toolsFor(offered.filter(isOffered), options)
}

export function isOffered({ surface, success }: AnyOperation): boolean {
  return surface === 'api' && success.texts === undefined
}

/** A tool for each of these, which are read together. */
export function toolsFor(
  operations: readonly WorkspaceVerb[],
  { kinds, contactKinds, paymentOffers: offers }: Omit<ToolOptions, 'operations'>,
): Tool[] {
  const described: Described = new Map()
  return operations.map((operation) => toolOf(operation, { kinds, contactKinds, offers, described, operations }))
}

type Shared = Pick<ToolOptions, 'kinds' | 'contactKinds'> & {
  offers: readonly PaymentOffer[]
  described: Described
  operations: readonly WorkspaceVerb[]
}

function toolOf(operation: WorkspaceVerb, { kinds, contactKinds, offers, described, operations }: Shared): Tool {
  const { name } = operation
  const lists = longLists(operation)
  const isLong = lists.length > 0
  const outputSchema = outputOf(operation, isLong)
  const input = inputOf(operation, isLong ? sizeParameters : {})
  const whole = withContactOptions(withOptionNames(input, kinds), operation, contactKinds)
  const { schema: inputSchema, like } = describeOnce(whole, { tool: name, described })
  return {
    operation,
    longLists: lists,
    finders: findersOf(operation, operations),
    definition: {
      name,
      description: describe(operation, { isLong, offers, like }),
      inputSchema,
      ...(outputSchema === null ? {} : { outputSchema }),
      annotations: hintsOf(operation),
      ...(operation.paid === true ? { _meta: { 'x-payment-info': { offers } } } : {}),
    },
  }
}

/**
 * Clients may ask people before they call what is not read-only. Methods mean here what they mean in RFC 9110 9.2. What
 * is not said has the value that the protocol gives it: a tool changes things, may destroy some, and each call counts.
 */
function hintsOf({ method, changesNothing }: WorkspaceVerb): ToolDefinition['annotations'] {
  if (method === 'GET' || changesNothing === true) return { readOnlyHint: true }
  return method === 'POST' ? { destructiveHint: false } : { idempotentHint: true }
}

type Describing = Pick<Shared, 'offers'> & { isLong: boolean; like: readonly string[] }

function describe(operation: WorkspaceVerb, { isLong, offers, like }: Describing): string {
  const { summary, description, paid, performForStranger } = operation
  return [
    `${summary}.`,
    ...(description === undefined ? [] : [description.replaceAll(keyHeader, keyArgument)]),
    ...(like.length === 0
      ? []
      : [`What is not described here means what it means in ${inWords(like.map((tool) => `\`${tool}\``))}.`]),
    ...(isLong ? [isPaged(operation) ? pageRule : sizeRule] : []),
    ...(paid === true ? [priceOf(offers)] : []),
    // A caller is shown the tools that its credential may call, so none says which one that is.
    ...(performForStranger === null ? [] : ['Works without a token too.']),
  ].join(' ')
}

function priceOf(offers: readonly PaymentOffer[]): string {
  const { pricePerLocationCents, lifetimePricePerLocationCents, renewalDays } = pricing
  const ways = offers.map(({ method, description }) => `${method} (${description})`).join(' or ')
  return (
    `Prices: $${decimal(pricePerLocationCents)} a location for ${renewalDays} days, ` +
    `$${decimal(lifetimePricePerLocationCents)} a location for life. What credit does not cover is asked for with ` +
    `the error -32042, to be paid by ${ways}.`
  )
}
