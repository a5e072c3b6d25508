import type { AnyOperation } from '#operations/pipeline/operation.ts'
import type { Ids } from '../inputs/ids.ts'
import type { Expected } from './rules.ts'
import type { Outcome, Way } from './ways.ts'

/** `ids` are those that requests name, `missing` those to compare them with, and `known` all that stand in the workspace. */
export type Reached = { ids: Ids; missing: Ids; known: readonly string[] }
export type Asked = { operation: AnyOperation; way: Way; expected: Expected; reached: Reached }

const idForm = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g
const refusalsOfCallers: ReadonlySet<number> = new Set([401, 403, 404])

/** What is wrong with how an operation is answered; null for nothing. */
export async function faultOf(asked: Asked): Promise<string | null> {
  const { operation, way, expected, reached } = asked
  const outcome = await way(operation, reached.ids)
  const { status, code, text } = outcome
  switch (expected.is) {
    case 'refused':
      return status >= 400 && code === expected.code ? null : `was answered ${status} ${text}`
    case 'allowed':
      return refusalsOfCallers.has(status) || code === 'not_found' ? `was answered ${status} ${text}` : null
    case 'apart':
      return toldIn(outcome, reached)
    case 'foreign':
      return toldIn(outcome, reached) ?? (await differenceFromMissing(asked, outcome))
  }
}

/** A caller may be told what it sent. */
function toldIn({ text, sent }: Outcome, { known }: Reached): string | null {
  const told = known.filter((id) => text.includes(id) && !sent.includes(id))
  return told.length === 0 ? null : `told ${told.join(', ')}`
}

/** What is asked about foreign things is answered like what is asked about things that are nowhere. */
async function differenceFromMissing(
  { operation, way, reached }: Asked,
  { status, code, text, sent }: Outcome,
): Promise<string | null> {
  if (operation.path.includes('{') && code !== 'not_found') return `was answered ${status} ${text}`
  if (!reached.known.some((id) => sent.includes(id))) return null
  const missing = await way(operation, reached.missing)
  const [foreign, nowhere] = [text, missing.text].map((each) => each.replaceAll(idForm, 'id'))
  const isTold = code !== null || reached.known.some((id) => text.includes(id))
  if (status === missing.status && (!isTold || foreign === nowhere)) return null
  return `was answered ${status} ${foreign} and not ${missing.status} ${nowhere}`
}
