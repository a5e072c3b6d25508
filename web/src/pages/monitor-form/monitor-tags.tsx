import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { listed } from '../../parts/language.ts'
import { TagsField } from '../../parts/form/tags-field.tsx'
import { useRead } from '../../session/workspace.tsx'
import { statusPagesKey, useStatusPagesApi } from '../status-pages/page-api.ts'

/** Its tags, and which of them would put its name on a page that others read. */
export function MonitorTags({ held }: { held: readonly string[] }): ReactNode {
  const api = useStatusPagesApi()
  const { data: pages } = useRead(statusPagesKey, { read: () => api.list() })
  const shown = listed([...new Set(pages.flatMap(({ monitor_tags: tags }) => tags))])
  if (shown === '') return <TagsField held={held} />
  return (
    <TagsField
      held={held}
      hint={t`Separated by commas. Status pages show the names of monitors that have one of these: ${shown}.`}
    />
  )
}
