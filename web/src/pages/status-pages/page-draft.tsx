import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/ask.ts'
import type { StatusPageDraft } from '../../api/status-pages.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { problemOf } from '../../parts/problem.ts'
import { useSettled } from '../../parts/settled.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { useStatusPagesApi } from './page-api.ts'
import { useMatches } from '../../parts/use-matches.ts'

type BesideProps = { draft: StatusPageDraft; children: ReactNode }

/** A form and what it makes: side by side where there is room, else below it and only when it is asked for. */
export function BesideDraft({ draft, children }: BesideProps): ReactNode {
  const isWide = useMatches(wideQuery)
  const [isAsked, setAsked] = useState(false)
  return (
    <div className="grid items-start gap-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,25rem)]">
      <div className="min-w-0">{children}</div>
      <aside aria-label={t`Preview`} className="flex min-w-0 flex-col gap-2 xl:sticky xl:top-6">
        {!isWide && (
          <p>
            <Button aria-expanded={isAsked} onClick={() => setAsked(!isAsked)}>
              {isAsked ? t`Hide the preview` : t`Show what it will look like`}
            </Button>
          </p>
        )}
        {(isWide || isAsked) && <Draft draft={draft} />}
      </aside>
    </div>
  )
}

function Draft({ draft }: { draft: StatusPageDraft }): ReactNode {
  const api = useStatusPagesApi()
  const { workspace } = useWorkspace()
  const asked = useSettled(JSON.stringify(draft))
  const { data: html, error } = useQuery({
    queryKey: ['workspace', workspace.id, `status-page-preview ${draft.page}`, asked],
    queryFn: () => api.previewDraft(JSON.parse(asked)),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <>
      <p className="text-sm text-muted">
        <Trans>As readers will see it once you save. Links and forms do nothing here.</Trans>
      </p>
      {error !== null && <Notice tone="warn">{told(error)}</Notice>}
      {html !== undefined && <DraftFrame html={html} />}
    </>
  )
}

function told(error: Error): string {
  return error instanceof ApiError && error.status === 422
    ? t`The preview continues once the fields are valid.`
    : problemOf(error).message
}

const rights = 'allow-same-origin'

/**
 * Of the console's own origin, so that a change leaves the reader where she scrolled to; no script may run in it, and
 * neither its links nor its forms lead anywhere. Everything in it is drawn at half its size, as wide as on a desk.
 */
function DraftFrame({ html }: { html: string }): ReactNode {
  const frame = useRef<HTMLIFrameElement>(null)
  const [first] = useState(html)
  useEffect(() => show(frame.current, html), [html])
  return (
    <iframe
      ref={frame}
      title={t`Preview of the draft`}
      srcDoc={first}
      sandbox={rights}
      onLoad={() => show(frame.current, html)}
      className="h-[140vh] w-full rounded-2xl border-2 border-line bg-surface [zoom:0.5]"
    />
  )
}

function show(frame: HTMLIFrameElement | null, html: string): void {
  const shown = frame?.contentDocument
  if (!shown?.body.hasChildNodes()) return
  const next = new DOMParser().parseFromString(html, 'text/html')
  if (next.head.innerHTML !== shown.head.innerHTML) shown.head.replaceWith(shown.adoptNode(next.head))
  shown.documentElement.lang = next.documentElement.lang
  shown.documentElement.dataset['theme'] = next.documentElement.dataset['theme'] ?? ''
  if (next.body.innerHTML !== shown.body.innerHTML) shown.body.replaceWith(shown.adoptNode(next.body))
}

/** Tailwind's `xl`. */
const wideQuery = '(min-width: 80rem)'
