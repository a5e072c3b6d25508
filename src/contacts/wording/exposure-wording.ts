import type { AlertExposure, ExposureAlert } from '#core/contacts/alerting.ts'
import type { ExposureOutcome } from '#core/software/exposure.ts'
import { type Fact, durationText, factsOf } from './facts.ts'

type Words = { tone: 'bad' | 'good'; headline: string; lead: string; facts: Fact[] }
type Text = Pick<Words, 'headline' | 'lead'>

/** The words of a public alert of exposures, which go on or have ended. */
export function exposureWording({ type, timestamp, data }: ExposureAlert): Words {
  const { monitor, exposures, total } = data
  const isOver = type === 'exposure.ended'
  const told = exposures.map((exposure) => ({ ...exposure, lasted: lastedOf(exposure, timestamp) }))
  const [first] = told
  const facts = told.map((exposure) => ({
    label: exposure.vuln_id,
    value: isOver ? endOf(exposure) : openOf(exposure),
  }))
  const others = total - exposures.length
  return {
    tone: isOver ? 'good' : 'bad',
    ...(total === 1 && first !== undefined
      ? (isOver ? wordsOfEnd : wordsOfOpen)(first, monitor.name)
      : wordsOfMany(told, { isOver, total, name: monitor.name })),
    facts: [
      ...(total === 1 ? [] : facts),
      ...factsOf([
        ['And', others === 0 ? null : `${others} more`],
        ['Address', monitor.url],
      ]),
    ],
  }
}

type Told = AlertExposure & { lasted: string }

function lastedOf({ opened_at: from, closed_at: until }: AlertExposure, timestamp: string): string {
  return durationText(Date.parse(until ?? timestamp) - Date.parse(from))
}

function wordsOfOpen(exposure: Told, name: string): Text {
  const { vuln_id: id, severity, lasted, fix_version: fix, software_name: software } = exposure
  const step = fix === null ? `No fixed version of ${software} is known.` : `Update ${software} to ${fix}.`
  return {
    headline: `Still exposed: ${name} (for ${lasted})`,
    lead: `${id}${severity === null ? '' : ` (${severity})`} is known to be exploited. ${name} has had ${softwareOf(exposure)}, which it affects, for ${lasted}. ${step}`,
  }
}

function wordsOfEnd(exposure: Told, name: string): Text {
  const { outcome, vuln_id: id, lasted } = exposure
  const headline = `${outcome === 'proved' ? 'Fix proved' : 'No longer exposed'}: ${name} (${id})`
  return { headline, lead: `${endSentence(exposure, name)} It was exposed for ${lasted}.` }
}

/** What ended it, of a monitor. */
function endSentence(exposure: Told, name: string): string {
  const { vuln_id: id, software_name: software, last_version: version, outcome } = exposure
  const sentences: Readonly<Record<ExposureOutcome, string>> = {
    proved: `Scans from several locations prove that ${id} no longer affects ${software} on ${name}. The signed report is on the page of the monitor.`,
    not_seen: `No location has seen ${software} on ${name} in the last two scans, so ${id} counts as over.`,
    updated: `The software of ${name} has ${software} ${version ?? ''} now, which ${id} does not affect. Scans have not proved it yet.`,
    not_listed: `The software of ${name} no longer has ${software}, which ${id} affected. Scans have not proved it.`,
    not_affected: `The advisory of ${id} no longer says that it affects ${softwareOf(exposure)} on ${name}.`,
    withdrawn: `${id}, which affects ${softwareOf(exposure)} on ${name}, is no longer listed as exploited.`,
    ignored: `${software} is ignored in the software of ${name}, and with it ${id}.`,
    monitor_deleted: `${name}, which ${id} affected, was deleted.`,
  }
  return outcome === null ? `${id} no longer affects ${name}.` : sentences[outcome]
}

function wordsOfMany(told: readonly Told[], of: { isOver: boolean; total: number; name: string }): Text {
  const { isOver, total, name } = of
  if (isOver) {
    const headline = `No longer exposed: ${name} (${total} vulnerabilities)`
    return { headline, lead: `${total} vulnerabilities that are known to be exploited no longer affect ${name}.` }
  }
  const oldest = told[0] === undefined ? '' : `, the oldest for ${told[0].lasted}`
  return {
    headline: `Still exposed: ${name} (${total} vulnerabilities)`,
    lead: `${total} vulnerabilities that are known to be exploited affect ${name}${oldest}.`,
  }
}

/** `critical: nginx 1.25.3, fixed in 1.27.1, for 7 d` */
function openOf(exposure: Told): string {
  const { severity, fix_version: fix, lasted } = exposure
  const what = `${softwareOf(exposure)}${fix === null ? ', no fix known' : `, fixed in ${fix}`}, for ${lasted}`
  return severity === null ? what : `${severity}: ${what}`
}

const ends: Readonly<Record<ExposureOutcome, string>> = {
  proved: 'fix proved',
  not_seen: 'no longer seen',
  updated: 'updated, not proved',
  not_listed: 'no longer listed, not proved',
  not_affected: 'not affected after all',
  withdrawn: 'no longer listed as exploited',
  ignored: 'ignored',
  monitor_deleted: 'monitor deleted',
}

/** `nginx 1.25.3: fix proved, after 7 d` */
function endOf(exposure: Told): string {
  const { outcome, lasted } = exposure
  return `${softwareOf(exposure)}: ${outcome === null ? 'over' : ends[outcome]}, after ${lasted}`
}

function softwareOf({ software_name: software, version }: AlertExposure): string {
  return `${software} ${version}`
}
