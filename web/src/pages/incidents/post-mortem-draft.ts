import { plural, t } from '@lingui/core/macro'
import type { IncidentStory } from '../../api/overview.ts'
import type { PostRecord } from '../../api/status-pages.ts'
import { spanText } from './incident-parts.tsx'

type Event = IncidentStory['events'][number]

/** As many characters as a post may have. */
const maxLength = 5000

/**
 * The story of an incident for readers, in Markdown, from what is known of it. Names of members and contacts are left
 * out: the text is meant for a page that the world reads.
 */
export function draftOf(story: IncidentStory, posts: readonly PostRecord[]): string {
  const parts = [
    section(t`Summary`, [summaryOf(story)]),
    section(t`Timeline`, timelineOf(story, posts)),
    section(t`Cause`, [story.cause ?? t`What caused it?`]),
    section(t`What we change`, [`- ${t`What keeps it from happening again?`}`]),
  ]
  return parts.join('\n\n').slice(0, maxLength)
}

function section(title: string, lines: readonly string[]): string {
  return [`## ${title}`, '', ...lines].join('\n')
}

function summaryOf({ by_hand: byHand, title, monitor_name: name, ...story }: IncidentStory): string {
  const { started_at: from, resolved_at: until } = story
  const [start, end] = [utc(from), until === null ? '' : utc(until)]
  const span = spanText(Date.parse(until ?? from) - Date.parse(from))
  return byHand
    ? t`${title}: for ${span}, from ${start} to ${end}.`
    : t`${name} was down for ${span}, from ${start} to ${end}.`
}

function timelineOf(story: IncidentStory, posts: readonly PostRecord[]): string[] {
  const found = [
    ...story.events.flatMap((event) => {
      const words = eventWords(event)
      return words === null ? [] : [{ at: event.at, words }]
    }),
    ...toldOf(story),
    ...posts.map(({ posted_at: at, body }) => ({ at, words: t`Update for readers: ${oneLine(body)}` })),
  ]
  const sorted = found.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  return sorted.map(({ at, words }) => `- **${utc(at)}** ${words}`)
}

function eventWords({ type }: Event): string | null {
  switch (type) {
    case 'opened':
      return t`The incident began.`
    case 'acknowledged':
      return t`A member of the team acknowledged it.`
    case 'resolved':
      return t`The incident was resolved.`
    case 'escalated':
      return t`More people were alerted.`
    case 'alert_sent':
    case 'alert_failed':
    case 'alert_dropped':
    case 'alert_withheld':
    case 'policy_changed':
    case 'assigned':
      return null
  }
}

/** How many were told, at the time of the first. */
function toldOf({ deliveries }: IncidentStory): { at: string; words: string }[] {
  const told = deliveries.filter(({ state, type }) => state === 'delivered' && type === 'monitor.down')
  const first = told.flatMap(({ ended_at: at }) => (at === null ? [] : [at])).toSorted()[0]
  if (first === undefined) return []
  return [
    { at: first, words: plural(told.length, { one: '# contact was alerted.', other: '# contacts were alerted.' }) },
  ]
}

const maxUpdateLength = 200

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= maxUpdateLength ? line : `${line.slice(0, maxUpdateLength - 1)}…`
}

function utc(at: string): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
