import type { Phases, Verdict } from '#core/results/result.ts'
import { type Finding, judgeTalk } from '#kinds/talk/judge-talk.ts'
import { hostTarget, hostTargetProblem } from '#kinds/host-target.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import { askAsUser, reportOf, reports } from './ask-as-user.ts'
import { askByCommunity, notSnmp } from './ask-by-community.ts'
import { encodeObjectId, parseObjectId } from './object-id.ts'
import { type Pdu, readValue, type SnmpValue, valueTags } from './snmp-message.ts'
import { snmpOptions, type SnmpOptions } from './snmp-options.ts'

const usualPort = 161
const sysUpTime = '1.3.6.1.2.1.1.3.0'

/** What came of a question: the value, or why there is none. */
export type SnmpObservation = { latencyMs: number; phases: Phases } & ({ value: SnmpValue } | { problem: string })

/** An agent that speaks SNMP: it is asked for one variable, and nothing is set. */
export const snmp = defineKind<SnmpOptions, SnmpObservation>({
  name: 'snmp',
  options: snmpOptions,
  secretOptions: ['community', 'username', 'auth_password', 'priv_password'],
  targetProblem: hostTargetProblem,
  observe: async ({ url, options, timeoutMs }, net, signal) => {
    const numbers = parseObjectId(options.oid ?? sysUpTime)
    if (numbers === null) throw new TypeError('The object identifier cannot be read.')
    const objectId = encodeObjectId(numbers)
    const ask = options.version === '2c' ? askByCommunity : askAsUser
    const asked = await ask({ ...hostTarget(url, usualPort), objectId, options, timeoutMs }, net, signal)
    const { answer, latencyMs, phases } = asked
    if (typeof answer === 'string') return { latencyMs, phases, problem: answer }
    const problem = refusalOf(answer) ?? (answer.name === numbers.join('.') ? null : notSnmp)
    const value = readValue(answer.value)
    return problem !== null || value === null
      ? { latencyMs, phases, problem: problem ?? absenceOf(answer) }
      : { latencyMs, phases, value }
  },
  judge: judgeSnmp,
})

/** RFC 3416 3. */
const statusNames: ReadonlyMap<number, string> = new Map([
  [1, 'tooBig'],
  [2, 'noSuchName'],
  [5, 'genErr'],
  [6, 'noAccess'],
  [13, 'resourceUnavailable'],
  [16, 'authorizationError'],
])

const reportTexts: ReadonlyMap<string | null, string> = new Map([
  [reports.unsupportedSecLevels, 'The agent has no keys of this user for what is authenticated or encrypted'],
  [reports.notInTimeWindows, "The agent's clock is another one each time it is asked"],
  [reports.unknownUserNames, 'The agent does not know the user'],
  [reports.unknownEngineIds, 'The agent is another one each time it is asked'],
  [reports.wrongDigests, 'The agent does not accept the password, or authenticates by another protocol'],
  [reports.decryptionErrors, 'The agent cannot decrypt: check the password for encryption'],
])

function refusalOf(answer: Pdu): string | null {
  const report = reportOf(answer)
  if (report !== null) return reportTexts.get(report) ?? `The agent refuses the message: ${report}`
  if (answer.errorStatus === 0) return null
  const name = statusNames.get(answer.errorStatus)
  return `The agent refuses the question: ${name === undefined ? '' : `${name}, `}error ${answer.errorStatus}`
}

function absenceOf({ value }: Pdu): string {
  const { noSuchObject, noSuchInstance, endOfMibView } = valueTags
  const isAbsent = value.tag === noSuchObject || value.tag === noSuchInstance || value.tag === endOfMibView
  return isAbsent ? 'The agent has no such variable, or does not show it' : 'The agent sent a value that cannot be read'
}

export function judgeSnmp(observation: SnmpObservation, { options }: Pick<Check<SnmpOptions>, 'options'>): Verdict {
  const { latencyMs, phases } = observation
  const seen = { latencyMs, phases, tls: null }
  const rules = { details: {}, findings: [], maxLatencyMs: options.max_latency_ms }
  if ('problem' in observation) {
    const failure = { phase: 'request', code: 'no_value', message: observation.problem } as const
    return judgeTalk({ ...seen, ok: false, failure }, rules)
  }
  const { value } = observation
  const isUptime = options.oid === undefined && value.type === 'TimeTicks'
  const details = {
    value_type: value.type,
    ...(isUptime ? { uptime_seconds: Math.floor(Number(value.text) / 100) } : {}),
  }
  return judgeTalk({ ...seen, ok: true, address: '' }, { ...rules, details, findings: findingsOf(value, options) })
}

/** The value may be a secret, so that no text has it. */
function findingsOf({ text }: SnmpValue, options: SnmpOptions): Finding[] {
  const { expected_value: expected, min_value: least, max_value: most } = options
  const number = /^\s*[-+]?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN
  const isCompared = least !== undefined || most !== undefined
  const findings: [holds: boolean, status: Finding['status'], error: string][] = [
    [expected !== undefined && text !== expected, 'down', 'The variable has another value than the expected one'],
    [isCompared && Number.isNaN(number), 'down', 'The variable is no number'],
    [least !== undefined && number < least, 'degraded', `The variable is a smaller number than ${least}`],
    [most !== undefined && number > most, 'degraded', `The variable is a larger number than ${most}`],
  ]
  return findings.flatMap(([holds, status, error]) => (holds ? [{ status, error }] : []))
}
