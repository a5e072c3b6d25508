import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { StatusPageRecord } from '../../api/status-pages.ts'
import { Section } from '../../parts/page.tsx'
import { useRead } from '../../session/workspace.tsx'
import { useStatusPagesApi } from './page-api.ts'

const everyMs = 30_000

/**
 * The page as its readers see it, drafts too. The frame may nothing: no script runs in it, it belongs to no site, and
 * neither its links nor its forms lead anywhere.
 */
export function StatusPagePreview({ page: { id, title } }: { page: StatusPageRecord }): ReactNode {
  const api = useStatusPagesApi()
  const { data: html } = useRead(`status-page-preview ${id}`, { read: () => api.preview(id), everyMs })
  return (
    <Section
      title={t`As readers see it`}
      lead={
        <Trans>
          As it was saved. Links and forms do nothing here; times are in UTC, readers see their own time zone.
        </Trans>
      }
    >
      <iframe
        title={t`Preview of ${title}`}
        srcDoc={html}
        sandbox=""
        className="h-[75vh] w-full resize-x rounded-lg border border-line bg-surface"
      />
    </Section>
  )
}
