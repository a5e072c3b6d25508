import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { overviewApi } from '../../api/overview.ts'
import type { MessageTemplates, TemplatePreviewRequest } from '../../api/contacts.ts'
import { problemOf } from '../../parts/problem.ts'
import { inputClass } from '../../parts/schema/fieldset.tsx'
import { timeText } from '../../parts/time.tsx'
import { useWorkspace } from '../../session/workspace.tsx'
import { useContactsApi } from './use-contacts.ts'

type PreviewProps = { kind: string; templates: MessageTemplates }

const typingMs = 600
const offered = 20

/** What templates make of an incident, once the person stops typing. */
export function TemplatePreview({ kind, templates }: PreviewProps): ReactNode {
  const [incident, setIncident] = useState('')
  const [event, setEvent] = useState<TemplatePreviewRequest['event']>('down')
  const incidents = useLastIncidents()
  const chosen = incident === '' ? {} : { incident_id: incident }
  return (
    <section aria-label={t`Preview`} className="flex flex-col gap-3">
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice
          label={t`Shown on`}
          value={incident}
          onChange={setIncident}
          options={[
            ['', t`An example`],
            ...incidents.map(({ id, title, started_at: at }) => [id, `${title}, ${timeText(at)}`] as const),
          ]}
        />
        <Choice
          label={t`When it`}
          value={event}
          onChange={(value) => setEvent(value === 'up' ? 'up' : 'down')}
          options={[
            ['down', t`goes down`],
            ['up', t`comes back`],
          ]}
        />
      </div>
      <Shown request={{ kind, templates, event, ...chosen }} />
    </section>
  )
}

function useLastIncidents() {
  const { workspace } = useWorkspace()
  const { data } = useQuery({
    queryKey: ['workspace', workspace.id, 'last-incidents'],
    queryFn: () => overviewApi(workspace.id).pageIncidents('all', ''),
  })
  return data?.data.slice(0, offered) ?? []
}

function Shown({ request }: { request: TemplatePreviewRequest }): ReactNode {
  const api = useContactsApi()
  const { workspace } = useWorkspace()
  const asked = useSettled(JSON.stringify(request))
  const { data, error } = useQuery({
    queryKey: ['workspace', workspace.id, 'template-preview', asked],
    queryFn: () => api.previewTemplates(JSON.parse(asked)),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <div role="status" className="flex flex-col gap-2 rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
      {error !== null && <p className="text-bad">{problemOf(error).message}</p>}
      {error === null && data !== undefined && (
        <>
          <Trouble part={t`Title`} problem={data.problems.title} />
          <Trouble part={t`Text`} problem={data.problems.body} />
          <p className="font-medium wrap-anywhere">{data.title}</p>
          <p className="whitespace-pre-line wrap-anywhere">{data.body}</p>
        </>
      )}
    </div>
  )
}

function Trouble({ part, problem }: { part: string; problem: string | undefined }): ReactNode {
  if (problem === undefined) return null
  return (
    <p className="text-bad wrap-anywhere">
      <Trans>
        {part}: {problem} The built-in words are used.
      </Trans>
    </p>
  )
}

type ChoiceProps = {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly (readonly [value: string, label: string])[]
}

/** It has no name, because it is no part of what the form sends. */
function Choice({ label, value, onChange, options }: ChoiceProps): ReactNode {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)} className={inputClass}>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A text that has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
