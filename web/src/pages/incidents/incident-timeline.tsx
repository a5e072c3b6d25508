import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { IncidentStory } from '../../api/overview.ts'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { incidentWords } from './incident-filter.ts'
import { spanText } from './incident-parts.tsx'

export type IncidentEvent = IncidentStory['events'][number]

const eventNames: Readonly<Record<IncidentEvent['type'], { name: MessageDescriptor; dot: string }>> = {
  opened: { name: msg({ message: 'Opened', context: 'incident' }), dot: 'bg-bad' },
  acknowledged: { name: incidentWords.acknowledged, dot: 'rotate-45 bg-warn' },
  resolved: { name: incidentWords.resolved, dot: 'rounded-full bg-good-bar' },
  alert_sent: { name: msg`Alert sent`, dot: 'rounded-full border-2 border-muted' },
  alert_failed: { name: msg`Alert failed`, dot: 'border-2 border-bad' },
  escalated: { name: msg`Escalated`, dot: 'rotate-45 border-2 border-warn' },
  assigned: { name: msg`Assigned`, dot: 'rounded-full bg-accent' },
  policy_changed: { name: msg`Escalation policy changed`, dot: 'rotate-45 border-2 border-line' },
  alert_withheld: { name: msg`Alert held back`, dot: 'rounded-full border-2 border-warn' },
  alert_dropped: { name: msg`No alert needed`, dot: 'rounded-full border-2 border-line' },
}

/** What happened, and what was done about it, oldest first. */
export function Timeline({ story }: { story: IncidentStory }): ReactNode {
  return (
    <Section title={t`Timeline`}>
      <ol aria-label={t`Timeline`} className="ml-1 border-l border-line">
        {story.events.map((event) => {
          const { name, dot } = eventNames[event.type]
          return (
            <li key={event.id} className="relative pb-4 pl-5 last:pb-0">
              <span aria-hidden="true" className="absolute top-1.5 -left-1.5 bg-surface">
                <span className={`block size-3 ${dot}`} />
              </span>
              <p className="text-sm font-medium">{i18n._(name)}</p>
              <p className="text-sm wrap-anywhere">{event.message}</p>
              <p className="text-xs text-muted">
                <Time at={event.at} />
                {event.type !== 'opened' && ` · ${afterText(event, story)}`}
              </p>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}

function afterText({ at }: IncidentEvent, { started_at: startedAt }: IncidentStory): string {
  const span = spanText(Date.parse(at) - Date.parse(startedAt))
  return t`${span} after it began`
}
