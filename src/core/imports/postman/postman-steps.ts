// Requests of one folder of a collection as the steps of a transaction.
import type { Where } from '#core/imports/findings.ts'
import { readAs } from '#core/imports/import-json.ts'
import { headersOf, methodOf, oneLine, shown } from '#core/imports/monitor-parts.ts'
import { rewriteAddress } from '#core/imports/requests/rewriting.ts'
import { fitsStep, maxCaptures, noteBeyond, type RequestStep } from '#core/imports/requests/transaction.ts'
import { pathProblem } from '#core/language/json-path.ts'
import { maxTransactionSteps } from '#core/monitors/transaction-steps.ts'
import { addressOf } from './postman-addresses.ts'
import { noSignIn, signingIn } from './postman-auth.ts'
import { sentBody } from './postman-bodies.ts'
import { eventsSchema, type PostmanAuth, type PostmanItem, requestSchema } from './postman-rows.ts'
import { readTestScript, type ScriptMeaning } from './postman-scripts.ts'
import { encodeAround, plainText, type Variables } from './postman-variables.ts'

export type FlowRequest = { item: PostmanItem; place: string; auth: PostmanAuth | null; variables: Variables }

export type Flow = {
  steps: RequestStep[]
  /** Options of the kind beside the steps. */
  options: Readonly<Record<string, string>>
  /** Whether every variable has a value. */
  isComplete: boolean
}

export function stepsOfFlow(requests: readonly FlowRequest[], where: Where): Flow {
  const { findings } = where
  const steps: RequestStep[] = []
  const signed: (Readonly<Record<string, string>> | null)[] = []
  const missing = new Set<string>()
  const scripts = requests.map((each) => scriptsOf(each))
  const handedOn = new Set(scripts.flatMap(({ meaning }) => meaning.captures.map(({ variable }) => variable)))
  for (const [index, each] of requests.entries()) {
    if (steps.length === maxTransactionSteps) {
      noteBeyond(requests.slice(index), where)
      break
    }
    const found = stepOf(each, { number: steps.length + 1, findings, handedOn, scripts: scripts[index] })
    if (found === null) continue
    steps.push(found.step)
    signed.push(found.options)
    for (const name of found.missing) missing.add(name)
  }
  const options = signed.find((each) => each !== null) ?? {}
  const isShared = signed.every((each) => JSON.stringify(each ?? {}) === JSON.stringify(options))
  if (!isShared)
    findings.changed(
      where.place,
      `All steps to the first one's server sign in by ${options['sign_in']}, because a transaction signs in in one way.`,
    )
  return { steps, options, isComplete: missing.size === 0 }
}

type Stepping = {
  number: number
  findings: Where['findings']
  /** Variables that a step of the transaction captures. */
  handedOn: ReadonlySet<string>
  scripts: Scripts | undefined
}
type MadeStep = { step: RequestStep; options: Readonly<Record<string, string>> | null; missing: ReadonlySet<string> }

const longestName = 60

/** Null where it cannot be sent. */
function stepOf(flowRequest: FlowRequest, { number, findings, handedOn, scripts }: Stepping): MadeStep | null {
  const { item, place, auth, variables } = flowRequest
  const where = { place, findings }
  const missing = new Set<string>()
  const fill = (text: string): string => variables.fill(text, missing)
  const parsed = readAs(item.request ?? null, requestSchema, `${place}.request`)
  const request = typeof parsed === 'string' ? { url: parsed, method: null, header: null } : parsed
  const signIn = signedIn(('auth' in request ? request.auth : null) ?? auth, { variables, handedOn, missing, where })
  const bare = addressOf(request.url, fill, missing)
  const open = signIn.parameter === null ? bare : withParameter(bare, signIn.parameter, variables)
  const address = rewriteAddress(open, variables.sealNamed)
  const writing = { fill, seal: variables.sealNamed }
  const { body, type, isTypeNeeded } = sentBody('body' in request ? request.body : null, writing, where)
  const problem = hostProblem(address)
  if (problem !== null) {
    findings.lost(place, `It is left out, because ${problem}: ${shown(address)}`)
    return null
  }
  if (!fitsStep({ address, body, place }, findings)) return null
  const own = headerPairs(request.header, fill).filter(([name]) => !isTypeNeeded || !isType(name))
  const typed = type === null || own.some(([name]) => isType(name)) ? [] : [['content-type', type] as const]
  const signed = signIn.header === null ? [] : [signIn.header]
  const headers = headersOf([...own, ...typed, ...signed], where)
  noteMissing(missing, number, where)
  const name = oneLine(item.name ?? '', longestName)
  const step = { name: name === '' ? null : name, address, method: methodOf(request.method, where), headers, body }
  return { step: { ...step, ...meaningOf(scripts, variables, where) }, options: signIn.options, missing }
}

type SigningInWith = { variables: Variables; handedOn: ReadonlySet<string>; missing: Set<string>; where: Where }

/** The step that gets a token, and those before it, are sent without it. */
function signedIn(
  auth: PostmanAuth | null,
  { variables, handedOn, missing, where }: SigningInWith,
): ReturnType<typeof signingIn> {
  const own = new Set<string>()
  const found = signingIn(auth, (text) => variables.fill(text, own), where)
  if (own.size > 0 && [...own].every((name) => handedOn.has(name))) return noSignIn
  for (const name of own) missing.add(name)
  return found
}

function hostProblem(address: string): string | null {
  if (!/^https?:\/\/[^/?]/i.test(address)) return 'it is no request of HTTP'
  return /^[^/]*\/\/[^/?]*\{\{/.test(address) ? 'its host is not in the file' : null
}

function isType(name: string): boolean {
  return name.toLowerCase() === 'content-type'
}

function withParameter(
  address: string,
  [name, value]: readonly [string, string],
  { seal }: Pick<Variables, 'seal'>,
): string {
  return `${address}${address.includes('?') ? '&' : '?'}${encodeAround(name)}=${encodeAround(seal(name, value))}`
}

type Request = Exclude<ReturnType<typeof requestSchema.parse>, string>

/** Old collections have all headers as one text. */
function headerPairs(given: Request['header'], fill: (text: string) => string): [name: string, value: string][] {
  if (typeof given === 'string')
    return given.split(/\r?\n/, 1_000).flatMap((line): [string, string][] => {
      const at = line.indexOf(':')
      return at < 1 ? [] : [[fill(line.slice(0, at).trim()), fill(line.slice(at + 1).trim())]]
    })
  return (given ?? []).flatMap(({ key, value, disabled }): [string, string][] =>
    disabled || key === null ? [] : [[fill(key), fill(plainText(value))]],
  )
}

const mostNames = 5

function noteMissing(missing: ReadonlySet<string>, number: number, { place, findings }: Where): void {
  if (missing.size === 0) return
  const names = [...missing].slice(0, mostNames).map((name) => `"${shown(name)}"`)
  findings.lost(
    place,
    `Step ${number} needs values that are not in the file: ${names.join(', ')}. Fill them in. Until then the monitor is paused.`,
  )
}

const longestPath = 200

type Scripts = { meaning: ScriptMeaning; hasEarlier: boolean }

function scriptsOf({ item, place }: FlowRequest): Scripts {
  const events = readAs(item.event ?? null, eventsSchema, `${place}.event`) ?? []
  const script = (listen: string): string =>
    events
      .filter((each) => each.listen === listen && !each.disabled)
      .flatMap(({ script: written }) => written?.exec ?? [])
      .join('\n')
  return { meaning: readTestScript(script('test')), hasEarlier: /\S/.test(script('prerequest')) }
}

function meaningOf(
  scripts: Scripts | undefined,
  variables: Variables,
  { place, findings }: Where,
): Pick<RequestStep, 'statuses' | 'captures' | 'expectations'> {
  if (scripts?.hasEarlier === true)
    findings.lost(`${place}.event`, 'No scripts are run, so the one before its request is left out.')
  const { statuses = [], expectations = {}, captures = [], rest = null } = scripts?.meaning ?? {}
  if (rest !== null) findings.lost(`${place}.event`, `A part of its tests is left out: ${shown(rest)}`)
  const found: RequestStep['captures'] = []
  for (const { variable, where } of captures) {
    const isUsable = 'header' in where ? isHeaderName(where.header) : isUsablePath(where.json_path)
    if (isUsable && found.length < maxCaptures) found.push({ name: variables.capture(variable), ...where })
    else findings.lost(`${place}.event`, `The variable "${shown(variable)}" is not captured.`)
  }
  return { statuses: statuses.slice(0, 1), captures: found, expectations }
}

function isUsablePath(path: string): boolean {
  return path.length <= longestPath && pathProblem(path) === null
}

function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/.test(name)
}
