import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AuditEntryRecord } from '../../api/console.ts'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { ShowOlder } from '../../parts/older.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { useWorkspace } from '../../session/workspace.tsx'
import { ForOwners } from './for-owners.tsx'

export function AuditLogPage(): ReactNode {
  return (
    <ForOwners title={t`Audit log`}>
      <AuditLog />
    </ForOwners>
  )
}

function AuditLog(): ReactNode {
  const { workspace, api } = useWorkspace()
  const log = useSuspenseInfiniteQuery({
    queryKey: ['workspace', workspace.id, 'audit-log'],
    queryFn: ({ pageParam }) => api.listAuditEntries(pageParam),
    initialPageParam: '',
    getNextPageParam: (page): string | null => page.next_cursor,
    staleTime: 0,
  })
  const entries = log.data.pages.flatMap(({ data }) => data)
  return (
    <>
      <PageHead title={t`Audit log`} lead={t`Who changed what, the newest first. Entries are kept for 400 days.`} />
      <Section title={t`Changes`}>
        {entries.length === 0 && (
          <Empty>
            <Trans context="changes">None.</Trans>
          </Empty>
        )}
        <Rows label={t`Changes`}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </Rows>
        <ShowOlder pages={log} />
      </Section>
    </>
  )
}

function Entry({ entry }: { entry: AuditEntryRecord }): ReactNode {
  const { actor, action, target, at } = entry
  const details = detailsOf(entry)
  return (
    <Row
      title={
        <>
          {actor.name}
          <Badge>{actor.kind}</Badge>
          <span className="ml-2 font-normal">
            {action.replaceAll('_', ' ')}
            {target.name !== null && <span className="text-muted"> · {target.name}</span>}
          </span>
        </>
      }
      details={
        <>
          <Time at={at} />
          {details !== '' && ` · ${details}`}
        </>
      }
    />
  )
}

function detailsOf({ details }: AuditEntryRecord): string {
  const shown = Object.entries(details).filter(([, value]) => !Array.isArray(value) || value.length > 0)
  return shown.map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(', ') : String(value)}`).join(' · ')
}
