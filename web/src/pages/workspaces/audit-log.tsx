import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import type { AuditEntryRecord } from '../../api/console.ts'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { ShowOlder } from '../../parts/older.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { Awaited, Waiting } from '../../parts/waiting.tsx'
import { useWorkspace } from '../../session/workspace.tsx'
import { detailsOf } from './audit-details.ts'
import { AuditExport } from './audit-export.tsx'
import { type AuditView, queryOf } from './audit-filter.ts'
import { AuditToolbar } from './audit-toolbar.tsx'
import { actorWords, sentenceOf } from './audit-words.ts'
import { ForOwners } from './for-owners.tsx'

export function AuditLogPage(): ReactNode {
  return (
    <ForOwners title={t`Audit log`}>
      <AuditLog />
    </ForOwners>
  )
}

function AuditLog(): ReactNode {
  const view = useSearch({ from: '/inside/shell/settings/audit-log' })
  const navigate = useNavigate()
  const show = (next: AuditView): void =>
    void navigate({ to: '/settings/audit-log', search: next, replace: true, resetScroll: false })
  return (
    <>
      <PageHead
        title={t`Audit log`}
        lead={t`Who changed what, the newest first. Entries are kept for 400 days.`}
        action={<AuditExport view={view} />}
      />
      <AuditToolbar view={view} onView={show} />
      <Section title={t`Changes`}>
        <Awaited fallback={<Waiting />}>
          <Entries view={view} />
        </Awaited>
      </Section>
    </>
  )
}

function Entries({ view }: { view: AuditView }): ReactNode {
  const { workspace, api } = useWorkspace()
  const log = useSuspenseInfiniteQuery({
    queryKey: ['workspace', workspace.id, 'audit-log', view],
    queryFn: ({ pageParam }) => api.listAuditEntries(queryOf(view), { cursor: pageParam === '' ? null : pageParam }),
    initialPageParam: '',
    getNextPageParam: (page): string | null => page.next_cursor,
    staleTime: 0,
  })
  const entries = log.data.pages.flatMap(({ data }) => data)
  return (
    <>
      {entries.length === 0 && <Empty>{t`No change matches this.`}</Empty>}
      <Rows label={t`Changes`}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </Rows>
      <ShowOlder pages={log} />
    </>
  )
}

function Entry({ entry }: { entry: AuditEntryRecord }): ReactNode {
  const { actor, at } = entry
  const details = detailsOf(entry)
  return (
    <Row
      title={
        <>
          <span className="font-normal">{sentenceOf(entry)}</span>
          {actor.kind !== 'person' && <Badge>{i18n._(actorKinds[actor.kind])}</Badge>}
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

/** One of them, as a badge behind its name. */
const actorKinds: Readonly<Record<AuditEntryRecord['actor']['kind'], MessageDescriptor>> = {
  ...actorWords,
  token: msg`API token`,
  agent: msg`Agent`,
  operator: msg`Operator`,
  system: msg`Service`,
}
