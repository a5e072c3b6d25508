import type { FindingAlert } from '#core/contacts/alerting.ts'
import { type Compared, oldestData } from '#core/software/comparison.ts'
import type { Finding } from '#core/software/vulnerability.ts'
import { dayText, type Fact, factsOf, timeText } from './facts.ts'

type Words = { tone: 'bad' | 'warning'; headline: string; lead: string; facts: Fact[] }

/** The words of new vulnerabilities and of releases whose support has ended. */
export function findingWording({ data }: FindingAlert): Words {
  const { monitor, findings, total, comparison, compared = [], entries_to_compare: waiting = 0 } = data
  const oldest = comparison === undefined ? null : oldestData({ comparison, compared })
  const exploited = findings.filter(({ exploited_on: day }) => day !== null).length
  const facts = findings.map((finding) => ({ label: finding.vuln_id, value: factOf(finding) }))
  const others = total - findings.length
  const rest = factsOf([
    ['And', others === 0 ? null : `${others} more`],
    ['Being compared', waiting === 0 ? null : `${waiting} software ${waiting === 1 ? 'entry' : 'entries'}`],
    ['Not compared with', unreadText(compared)],
    ['Compared with data from', oldest === null ? null : timeText(oldest)],
    ['Old data', oldText(compared)],
    ['Address', monitor.url],
  ])
  const [first] = findings
  const words = total === 1 && first !== undefined ? wordsOfOne(first) : wordsOfMany(findings, total)
  const warning = exploited === 0 ? '' : ` ${exploitedText(exploited, total)}`
  return {
    tone: exploited === 0 ? 'warning' : 'bad',
    headline: `${words.headline}: ${monitor.name}`,
    lead: `${words.lead} ${monitor.name}.${warning}`,
    facts: [...facts, ...rest],
  }
}

function wordsOfOne(finding: Finding): Pick<Words, 'headline' | 'lead'> {
  const software = softwareOf(finding)
  if (finding.kind === 'end_of_life')
    return { headline: `End of support for ${software}`, lead: `${software} is no longer supported. It runs on` }
  const severity = finding.severity === null ? 'unrated' : finding.severity
  const verb = finding.version_known ? 'affects' : 'may affect'
  return {
    headline: `${finding.exploited_on === null ? 'Vulnerability' : 'Exploited vulnerability'} in ${software}`,
    lead: `${finding.vuln_id} (${severity}) ${verb} ${software} on`,
  }
}

function wordsOfMany(findings: readonly Finding[], total: number): Pick<Words, 'headline' | 'lead'> {
  if (findings.every(({ kind }) => kind === 'end_of_life'))
    return {
      headline: `End of support for ${total} releases`,
      lead: `${total} releases that are no longer supported run on`,
    }
  return { headline: `${total} new findings`, lead: `There are ${total} new findings in the software of` }
}

function exploitedText(exploited: number, total: number): string {
  if (total === 1) return 'It is known to be exploited.'
  return exploited === 1 ? 'One of them is known to be exploited.' : `${exploited} of them are known to be exploited.`
}

/** `critical 9.8, exploited: nginx 1.24.0, fixed in 1.24.1. A request can end the process.` */
function factOf(finding: Finding): string {
  const { kind, severity, score, exploited_on: exploitedOn, version_known: isKnown, summary } = finding
  const fix = finding.fix_version ?? finding.fixed_in
  const rating = [
    severity === null ? 'unrated' : score === null ? severity : `${severity} ${score}`,
    ...(exploitedOn === null ? [] : [`exploited since ${exploitedOn}`]),
    ...(isKnown ? [] : ['may apply']),
  ].join(', ')
  const what = `${softwareOf(finding)}${fix === null ? '' : `, ${kind === 'end_of_life' ? 'next' : 'fixed in'} ${fix}`}`
  const shown = kind === 'end_of_life' ? what : `${rating}: ${what}`
  return summary === null ? shown : `${shown}. ${summary}`
}

/** `npm, NVD (not read yet)` */
function unreadText(compared: readonly Compared[]): string {
  const named = (wanted: Compared['state']): string =>
    compared
      .filter(({ state }) => state === wanted)
      .map(sourceText)
      .join(', ')
  const [unread, off] = [named('unread'), named('off')]
  return [
    ...(unread === '' ? [] : [`${unread} (not read yet)`]),
    ...(off === '' ? [] : [`${off} (switched off here)`]),
  ].join(', ')
}

/** `npm from 2026-11-21; nothing newer has been read since` */
function oldText(compared: readonly Compared[]): string | null {
  const old = compared.flatMap((one) =>
    one.state === 'old' && one.data_as_of !== null ? [`${sourceText(one)} from ${dayText(one.data_as_of)}`] : [],
  )
  return old.length === 0 ? null : `${old.join(', ')}; nothing newer has been read since`
}

const feedTexts: Readonly<Record<Compared['source'], string>> = {
  osv: 'OSV',
  nvd: 'NVD',
  cve: 'CVE list',
  exploited: 'known exploited vulnerabilities (CISA)',
  endoflife: 'endoflife.date',
}

function sourceText({ source, ecosystem }: Compared): string {
  return ecosystem ?? feedTexts[source]
}

function softwareOf({ software_name: name, version }: Finding): string {
  return version === null ? name : `${name} ${version}`
}
