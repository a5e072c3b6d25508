import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { MonitorRecord } from '../../api/monitors.ts'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { Section, linkClass } from '../../parts/page.tsx'

type Guided = Pick<MonitorRecord, 'notes' | 'runbook_url'>

/** What its owners wrote for those who look after it; nothing where they wrote nothing. */
export function Guidance({ monitor: { notes, runbook_url: runbook } }: { monitor: Guided }): ReactNode {
  if ((notes ?? '') === '' && runbook === null) return null
  return (
    <Section title={t`Notes`} action={runbook !== null && <Runbook url={runbook} />}>
      {(notes ?? '') !== '' && <Markdown text={notes ?? ''} />}
    </Section>
  )
}

function Runbook({ url }: { url: string }): ReactNode {
  return (
    <a href={url} target="_blank" rel="noreferrer" className={linkClass}>
      <Trans>Open the runbook</Trans>
    </a>
  )
}
