import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { StatusPageRecord } from '../../api/status-pages.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { PageHead, Section, linkClass } from '../../parts/page.tsx'
import { TagBadges } from '../../parts/form/tags-field.tsx'
import { useRead } from '../../session/workspace.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { statusPagesKey, useStatusPagesApi } from './page-api.ts'
import { visibilityWords } from './page-words.ts'

export function StatusPagesPage(): ReactNode {
  const api = useStatusPagesApi()
  const { data: pages } = useRead(statusPagesKey, { read: () => api.list() })
  const mayWrite = useMayWrite()
  const create = (
    <ButtonLink to="/status-pages/new" look="primary">
      <Trans>New status page</Trans>
    </ButtonLink>
  )
  return (
    <>
      <PageHead
        title={t`Status pages`}
        lead={t`What your readers see: the state and history of your monitors, and what you say about it.`}
        action={mayWrite && create}
      />
      <Section title={t({ message: 'All', context: 'status pages' })}>
        {pages.length === 0 && (
          <Empty>
            {mayWrite ? (
              <Trans>There is none yet. Create one: it needs a title, an address and some monitors.</Trans>
            ) : (
              <Trans context="status page">There is none yet.</Trans>
            )}
          </Empty>
        )}
        <Rows label={t`Status pages`}>
          {pages.map((page) => (
            <PageRow key={page.id} page={page} />
          ))}
        </Rows>
      </Section>
    </>
  )
}

function PageRow({ page }: { page: StatusPageRecord }): ReactNode {
  const { id, title, url, visibility, monitors, subscribers, tags } = page
  return (
    <Row
      title={
        <>
          <Link to="/status-pages/$id" params={{ id }} className="hover:underline">
            {title}
          </Link>
          <TagBadges tags={tags} />
          {visibility !== 'public' && <Badge>{i18n._(visibilityWords[visibility])}</Badge>}
        </>
      }
      details={
        <>
          <Plural value={monitors} one="# monitor" other="# monitors" /> ·{' '}
          <Plural value={subscribers} one="# subscriber" other="# subscribers" />
        </>
      }
      action={
        visibility === 'draft' ? undefined : (
          <a href={url} target="_blank" rel="noreferrer" className={`${linkClass} text-sm wrap-anywhere`}>
            {url}
          </a>
        )
      }
    />
  )
}
