// Texts that status pages share with the mails to their subscribers.
import type { MaintenanceNewsType } from '#core/maintenance-news.ts'
import type { PostState } from './status-page.ts'
import type { PageState, PageStanding } from './status-standing.ts'
import type { Texts } from '#core/language/texts.ts'

export function standingText(i18n: Texts, standing: PageStanding): string {
  switch (standing.is) {
    case 'empty':
      return i18n._('Nothing is shown here yet')
    case 'paused':
      return i18n._('Monitoring is paused')
    case 'pending':
      return i18n._('Waiting for the first checks')
    case 'operational':
      return i18n._('All systems operational')
    case 'down':
      return withResting(i18n, standing.resting, downText(i18n, standing))
    case 'degraded':
      return withResting(i18n, standing.resting, degradedText(i18n, standing))
    case 'maintenance':
      return maintenanceText(i18n, standing)
  }
}

type Counted = { count: number; all: number }

function downText(i18n: Texts, { count, all }: Counted): string {
  if (all === 1) return i18n._('The system is down')
  if (count === all) return i18n._('All systems are down')
  return i18n._('{count, plural, one {# of {all} systems is down} other {# of {all} systems are down}}', { count, all })
}

function degradedText(i18n: Texts, { count, all }: Counted): string {
  if (all === 1) return i18n._('The system is degraded')
  if (count === all) return i18n._('All systems are degraded')
  return i18n._('{count, plural, one {# of {all} systems is degraded} other {# of {all} systems are degraded}}', {
    count,
    all,
  })
}

function maintenanceText(i18n: Texts, { count, all }: Counted): string {
  if (all === 1) return i18n._('The system is under maintenance')
  if (count === all) return i18n._('All systems are under maintenance')
  return i18n._(
    '{count, plural, one {# of {all} systems is under maintenance} other {# of {all} systems are under maintenance}}',
    { count, all },
  )
}

function withResting(i18n: Texts, resting: number, standing: string): string {
  if (resting === 0) return standing
  return i18n._('{standing}, {resting, plural, one {# under maintenance} other {# under maintenance}}', {
    standing,
    resting,
  })
}

export function stateText(i18n: Texts, state: PageState): string {
  switch (state) {
    case 'up':
      return i18n._('Operational')
    case 'degraded':
      return i18n._('Degraded')
    case 'down':
      return i18n._('Down')
    case 'maintenance':
      return i18n._('Under maintenance')
    case 'pending':
      return i18n._('No data yet')
    case 'paused':
      return i18n._('Paused')
  }
}

/** How far the work on an incident is, shown before the text of a post. */
export function postText(i18n: Texts, state: PostState): string {
  switch (state) {
    case 'investigating':
      return i18n._('Investigating')
    case 'identified':
      return i18n._('Identified')
    case 'monitoring':
      return i18n._('Monitoring', {}, { context: 'incident' })
    case 'resolved':
      return i18n._('Resolved')
    case 'postmortem':
      return i18n._('Post-mortem')
  }
}

/** `name` is that of the incident's monitor, or of what the post is about. */
export function postTitle(i18n: Texts, state: PostState, name: string): string {
  return i18n._('{state}: {name}', { state: postText(i18n, state), name })
}

/** `subject` is a line of its own with the name of the window, `sentence` is for the text below it. */
export function maintenanceNewsText(
  i18n: Texts,
  type: MaintenanceNewsType,
  title: string,
): { subject: string; sentence: string } {
  switch (type) {
    case 'planned':
      return {
        subject: i18n._('Maintenance planned: {title}', { title }),
        sentence: i18n._('Maintenance is planned.'),
      }
    case 'changed':
      return {
        subject: i18n._('Maintenance changed: {title}', { title }),
        sentence: i18n._('The times of this maintenance have changed.'),
      }
    case 'cancelled':
      return {
        subject: i18n._('Maintenance cancelled: {title}', { title }),
        sentence: i18n._('This maintenance will not take place.'),
      }
    case 'begun':
      return {
        subject: i18n._('Maintenance started: {title}', { title }),
        sentence: i18n._('Maintenance is under way.'),
      }
    case 'ended':
      return {
        subject: i18n._('Maintenance ended: {title}', { title }),
        sentence: i18n._('This maintenance has ended.'),
      }
  }
}

const maxNamed = 10

/** The first names, and how many more there are. */
export function namesText(i18n: Texts, names: readonly string[]): string {
  const more = names.length - maxNamed
  if (more <= 0) return i18n.list(names)
  // A list in some language may put an "and" before its last name.
  const shown = names.slice(0, maxNamed).join(', ')
  return i18n._('{names} and {more, plural, one {# more} other {# more}}', { names: shown, more })
}
