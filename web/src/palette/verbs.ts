import { t } from '@lingui/core/macro'
import { useLocation } from '@tanstack/react-router'
import { type IncidentRecord, overviewApi } from '../api/overview.ts'
import { isProbed } from '../pages/monitor/kinds.ts'
import type { MonitorRow } from '../pages/monitors/monitors-rows.ts'
import { problemOf } from '../parts/problem.ts'
import { useToast } from '../parts/overlays/toast.tsx'
import { usePushOffer } from '../session/push-offer.ts'
import { monitorKey, useMayWrite, useMonitors } from '../session/use-monitors.ts'
import { useChanged, useWorkspace } from '../session/workspace.tsx'
import { action } from './actions.ts'
import { type Entry, entryOf } from './find.ts'
import type { Found } from './found.ts'

/** What a dialog asks or shows after the palette. */
export type Asked = { verb: 'check' | 'pause'; monitor: Pick<MonitorRow, 'id' | 'name'> }

type Verbs = {
  /** Of the monitor or the incident whose page is shown. */
  here: readonly Entry[]
  /** Of those that words name after a verb: "pause shop". */
  named: (words: readonly string[]) => readonly Entry[]
}

/** `words`: what a verb is called by, in lower case. */
type Verb = { words: string; entry: Entry }

/** So many monitors, and so many incidents, are offered for a verb. */
const mostNamed = 8
/** A letter alone names no verb. */
const shortestVerb = 2

/** Verbs on monitors and incidents, for people who may change them. */
export function useVerbs({ monitors, incidents }: Found, ask: (asked: Asked) => void): Verbs {
  const { pathname } = useLocation()
  const mayWrite = useMayWrite()
  const doing = useDoing(ask)
  if (!mayWrite) return { here: [], named: () => [] }
  const verbsOf = (isIt: Sought): Verb[] => [
    ...few(monitors, (each) => isIt(each.id, each.name, each.url)).flatMap((each) => monitorVerbs(each, doing)),
    ...few(incidents, (each) => each.status === 'open' && isIt(each.id, each.title, each.cause)).map((each) =>
      acknowledgement(each, doing),
    ),
  ]
  const [, , shown = ''] = pathname.split('/')
  return {
    here: shown === '' ? [] : verbsOf((id) => id === shown).map(({ entry }) => entry),
    named: ([verb = '', ...rest]) => {
      if (verb.length < shortestVerb || !allWords(doing).some((word) => word.startsWith(verb))) return []
      const found = verbsOf((...texts) => hasAll(texts, rest))
      return found.flatMap(({ words, entry }) => (wordsBegin(words, verb) ? [entry] : []))
    },
  }
}

type Sought = (id: string, name: string, more: string | null) => boolean

function hasAll(texts: readonly (string | null)[], words: readonly string[]): boolean {
  const text = texts.join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

function wordsBegin(words: string, begin: string): boolean {
  return words.split(' ').some((word) => word.startsWith(begin))
}

function few<T>(all: readonly T[], isIt: (each: T) => boolean): T[] {
  const found: T[] = []
  for (const each of all) {
    if (isIt(each)) found.push(each)
    if (found.length === mostNamed) break
  }
  return found
}

type Doing = {
  ask: (asked: Asked) => void
  resume: (monitor: MonitorRow) => void
  acknowledge: (incident: IncidentRecord) => void
  /** What each verb is called by. */
  called: Readonly<Record<'check' | 'pause' | 'resume' | 'change' | 'acknowledge', string>>
}

function allWords({ called }: Doing): string[] {
  return Object.values(called).flatMap((words) => words.split(' '))
}

function useDoing(ask: Doing['ask']): Doing {
  const { workspace } = useWorkspace()
  const monitors = useMonitors()
  const changed = useChanged()
  const { offer } = usePushOffer()
  const toast = useToast()
  const tell = (work: Promise<string>): void =>
    void work.then(toast, (error: unknown) => toast(problemOf(error).message))
  const resume = async ({ id, name }: MonitorRow): Promise<string> => {
    const { status } = await monitors.resume(id)
    await changed('monitors', 'overview', monitorKey(id))
    return status === 'paused' ? t`${name} stays paused: the plan has no free slot.` : t`${name} is checked again.`
  }
  const acknowledge = async ({ id }: IncidentRecord): Promise<string> => {
    await overviewApi(workspace.id).acknowledge(id)
    await changed('overview', 'incident', 'palette incidents')
    offer()
    return t`Acknowledged. The recovery alert is still sent.`
  }
  return {
    ask,
    resume: (monitor) => tell(resume(monitor)),
    acknowledge: (incident) => tell(acknowledge(incident)),
    called: {
      check: t({ message: 'check test run', context: 'words that people type to check a monitor now' }),
      pause: t({ message: 'pause stop', context: 'words that people type to pause a monitor' }),
      resume: t({ message: 'resume start unpause', context: 'words that people type to resume a monitor' }),
      change: t({ message: 'change edit settings', context: 'words that people type to change a monitor' }),
      acknowledge: t({ message: 'acknowledge', context: 'words that people type to acknowledge an incident' }),
    },
  }
}

function monitorVerbs(monitor: MonitorRow, { ask, resume, called }: Doing): Verb[] {
  const { id, name, kind, state } = monitor
  const verb = (of: keyof typeof called, shown: Parameters<typeof action>[1]): Verb => {
    const words = called[of]
    return { words, entry: action(`${of} ${id}`, { also: words, ...shown }) }
  }
  const href = `/monitors/${id}/edit`
  const change = entryOf({
    key: href,
    group: 'actions',
    title: t`Change ${name}`,
    icon: 'edit',
    also: called.change,
    goal: { href },
  })
  return [
    ...(isProbed(kind)
      ? [verb('check', { title: t`Check ${name} now`, icon: 'run', run: () => ask({ verb: 'check', monitor }) })]
      : []),
    state === 'paused'
      ? verb('resume', { title: t`Resume ${name}`, icon: 'run', run: () => resume(monitor) })
      : verb('pause', { title: t`Pause ${name}`, icon: 'pause', run: () => ask({ verb: 'pause', monitor }) }),
    { words: called.change, entry: change },
  ]
}

function acknowledgement(incident: IncidentRecord, { acknowledge, called }: Doing): Verb {
  const { id, title } = incident
  const entry = action(`acknowledge ${id}`, {
    title: t`Acknowledge: ${title}`,
    icon: 'done',
    also: called.acknowledge,
    run: () => acknowledge(incident),
  })
  return { words: called.acknowledge, entry }
}
