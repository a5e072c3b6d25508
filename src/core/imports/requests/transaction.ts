// Requests in a row as a monitor of the kind transaction.
import type { Where } from '#core/imports/findings.ts'
import type { ImportedMonitorInput } from '#core/imports/imported.ts'
import type { headersOf, methodOf } from '#core/imports/monitor-parts.ts'
import { type StatusRange, statusesWithin } from '#core/monitors/expected-statuses.ts'
import { maxTransactionSteps, transactionSteps } from '#core/monitors/transaction-steps.ts'

export type Capture = { name: string } & (
  | { json_path: string }
  | { header: string }
  | { selector: string; selector_attribute: string }
)

export const maxCaptures = 10
const maxAddressLength = 2_048
const maxBodyLength = 65_536

export type RequestStep = {
  /** Null where it has none. */
  name: string | null
  /** Absolute; `{{name}}` stands for what an earlier step captured. */
  address: string
  method: ReturnType<typeof methodOf>
  headers: ReturnType<typeof headersOf>
  body: string | null
  /** None: those that are right for a monitor that names none. */
  statuses: readonly StatusRange[]
  captures: Capture[]
  /** Further options of a step, as its kind has them. */
  expectations: Readonly<Record<string, unknown>>
}

export type StepSecret = { name: string; value: string }

const maxSecrets = 20
const longestSecret = 2_000

export type StepSecrets = {
  /** What stands for a secret in a step, under a name like the given one; null where there is no room for it. */
  seal: (name: string, value: string) => string | null
  all: () => StepSecret[]
}

/** `taken` has the names of captures as well. */
export function createStepSecrets(taken: Set<string>): StepSecrets {
  const names = new Map<string, string>()
  return {
    seal: (wish, value) => {
      let name = names.get(value)
      if (name === undefined) {
        if (names.size === maxSecrets || value.length > longestSecret) return null
        name = captureName(wish, taken)
        names.set(value, name)
      }
      return `{{${name}}}`
    },
    all: () => Array.from(names, ([value, name]) => ({ name, value })),
  }
}

type Sent = { address: string; body: string | null; place: string }

/** The requests that steps can make, as many as a transaction has, with notes of the others. */
export function withinSteps<Request extends Sent>(requests: readonly Request[], where: Where): Request[] {
  const fitting = requests.filter((request) => fitsStep(request, where.findings))
  noteBeyond(fitting.slice(maxTransactionSteps), where)
  return fitting.slice(0, maxTransactionSteps)
}

/** Notes what makes a request too long for a step. */
export function fitsStep({ address, body, place }: Sent, findings: Where['findings']): boolean {
  const isLong = (body?.length ?? 0) > maxBodyLength
  if (!isLong && address.length <= maxAddressLength) return true
  const problem = isLong
    ? `body has more than ${maxBodyLength} characters`
    : `address has more than ${maxAddressLength} characters`
  findings.lost(place, `It is left out, because its ${problem}.`)
  return false
}

/** `beyond` are the requests for which a transaction has no room. */
export function noteBeyond(beyond: readonly { place: string }[], { place, findings }: Where): void {
  const [first] = beyond
  if (first === undefined) return
  const message = `A transaction has at most ${maxTransactionSteps} steps. ${countLeft(beyond.length)} left out, from ${first.place} on.`
  findings.lost(place, message)
}

/** A name like the wished one that no capture has; `taken` gets it. */
export function captureName(wish: string, taken: Set<string>): string {
  const plain = wish.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^[^A-Za-z]+|_+$/g, '')
  const stem = plain === '' ? 'value' : plain.slice(0, longestStem)
  let name = stem
  for (let count = 2; taken.has(name) || name === authenticatorCode; count += 1) name = `${stem}_${count}`
  taken.add(name)
  return name
}

const longestStem = 30
/** Steps write the code of an authenticator so. */
const authenticatorCode = 'totp'

export function countLeft(requests: number): string {
  return requests === 1 ? '1 request is' : `${requests} requests are`
}

/** The smallest kind of transaction that has room for the steps. The target is the first one's origin. */
export function transactionSettings(
  steps: readonly RequestStep[],
  secrets: readonly StepSecret[],
): Pick<ImportedMonitorInput, 'kind' | 'url' | 'check_options'> & { kind: keyof typeof transactionSteps } {
  const origin = originOf(steps[0]?.address ?? '')
  return {
    kind: kindFor(steps.length),
    url: `${origin}/`,
    check_options: {
      steps: steps.map((step) => writtenStep(step, origin)),
      ...(secrets.length === 0 ? {} : { secrets }),
    },
  }
}

function kindFor(steps: number): keyof typeof transactionSteps {
  if (steps <= transactionSteps.micro_transaction) return 'micro_transaction'
  return steps <= transactionSteps.transaction ? 'transaction' : 'extended_transaction'
}

function originOf(address: string): string {
  return /^[^/]*\/\/[^/?#]*/.exec(address)?.[0] ?? ''
}

function writtenStep(step: RequestStep, origin: string): object {
  const { name, address, method, headers, body, statuses, captures, expectations } = step
  return {
    ...(name === null ? {} : { name }),
    url: addressWithin(address, origin),
    method,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === null ? {} : { body }),
    ...(statuses.length === 0 ? {} : statusesWithin(statuses)),
    ...expectations,
    ...(captures.length === 0 ? {} : { captures }),
  }
}

/** Of the origin's own addresses the path, unless it would be taken for the name of a host. */
function addressWithin(address: string, origin: string): string {
  if (originOf(address) !== origin) return address
  const path = address.slice(origin.length)
  if (/^\/[/\\]/.test(path)) return address
  return path.startsWith('/') ? path : `/${path}`
}
