import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { StatusPageRecord } from '../../api/status-pages.ts'
import { Button } from '../../parts/button.tsx'
import { DeleteDialog } from '../../parts/overlays/dialog.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead, Section, linkClass } from '../../parts/page.tsx'
import { Tabs, tabClass } from '../../parts/tabs.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { Awaited, Waiting } from '../../parts/waiting.tsx'
import { useChanged, useRead, useWorkspace } from '../../session/workspace.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { statusPageKey, statusPagesKey, useStatusPagesApi } from './page-api.ts'
import { StatusPageEmbed } from './page-embed.tsx'
import { StatusPageForm, StatusPageFacts } from './page-form.tsx'
import { Announcements } from './posts.tsx'
import { StatusPagePreview } from './page-preview.tsx'
import { Subscribers } from './subscribers.tsx'

const tabs = [
  { value: 'page', label: msg`Page` },
  { value: 'preview', label: msg`Preview` },
  { value: 'announcements', label: msg`Announcements` },
  { value: 'subscribers', label: msg`Subscribers` },
  { value: 'embed', label: msg`Embed` },
] as const
type Tab = (typeof tabs)[number]['value']

export function NewStatusPagePage(): ReactNode {
  const mayWrite = useMayWrite()
  return (
    <>
      <PageHead
        title={t`New status page`}
        lead={t`Everyone can read it as soon as it is created, unless you make it a draft.`}
      />
      {mayWrite ? (
        <StatusPageForm page={null} />
      ) : (
        <p className="text-muted">
          <Trans>Viewers can read status pages but not create them.</Trans>
        </p>
      )}
    </>
  )
}

export function StatusPagePage(): ReactNode {
  const { id } = useParams({ from: '/inside/shell/status-pages/$id' })
  const { tab: wanted } = useSearch({ from: '/inside/shell/status-pages/$id' })
  const { name: workspace } = useWorkspace().workspace
  const api = useStatusPagesApi()
  const { data: page } = useRead(statusPageKey(id), { read: () => api.read(id) })
  if (page === null)
    return (
      <>
        <PageHead title={t`There is no such status page`} lead={t`It is not in ${workspace}, or it was deleted.`} />
        <Link to="/status-pages" className={linkClass}>
          <Trans>To the status pages</Trans>
        </Link>
      </>
    )
  const tab = tabs.find(({ value }) => value === wanted)?.value ?? 'page'
  return (
    <>
      <Head page={page} />
      <Tabs label={t`Of this page`} present={tab}>
        {tabs.map(({ value, label }) => (
          <Link
            key={value}
            data-tab={value}
            to="/status-pages/$id"
            params={{ id }}
            search={value === 'page' ? {} : { tab: value }}
            activeOptions={{ exact: true }}
            className={tabClass}
          >
            {i18n._(label)}
          </Link>
        ))}
      </Tabs>
      <Awaited fallback={<Waiting />}>
        <Shown key={id} tab={tab} page={page} />
      </Awaited>
    </>
  )
}

function Head({ page }: { page: StatusPageRecord }): ReactNode {
  const mayWrite = useMayWrite()
  const [isAsked, setAsked] = useState(false)
  const { title, url, domain, domain_state: state, visibility } = page
  const addresses = state === 'proven' ? [url, `https://${domain}`] : [url]
  const lead =
    visibility === 'draft' ? (
      t`A draft: no one can read it yet.`
    ) : (
      <span className="flex flex-wrap gap-x-4">
        {addresses.map((address) => (
          <a key={address} href={address} target="_blank" rel="noreferrer" className={`${linkClass} wrap-anywhere`}>
            {address}
          </a>
        ))}
      </span>
    )
  return (
    <>
      <PageHead
        title={title}
        lead={lead}
        action={
          mayWrite && (
            <Button look="danger" onClick={() => setAsked(true)}>
              <Trans>Delete</Trans>
            </Button>
          )
        }
      />
      {isAsked && <Delete page={page} onClose={() => setAsked(false)} />}
    </>
  )
}

function Delete({ page: { id, title }, onClose }: { page: StatusPageRecord; onClose: () => void }): ReactNode {
  const api = useStatusPagesApi()
  const changed = useChanged()
  const router = useRouter()
  const toast = useToast()
  const submit = async (): Promise<void> => {
    await api.remove(id)
    toast(t`${title} is deleted.`)
    // What is deleted is left without a question.
    router.history.push('/status-pages', undefined, { ignoreBlocker: true })
    await changed(statusPagesKey)
  }
  return (
    <DeleteDialog title={t`Delete ${title}?`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>
          Its address stops working, and its announcements and subscribers are deleted permanently. What was written
          about incidents stays.
        </Trans>
      </p>
    </DeleteDialog>
  )
}

type ShownProps = { tab: Tab; page: StatusPageRecord }

/** What was typed into the form stays while other tabs are looked at. */
function Shown({ tab, page }: ShownProps): ReactNode {
  const mayWrite = useMayWrite()
  const [isEdited, setEdited] = useState(false)
  if (!mayWrite) return tab === 'page' ? <StatusPageFacts page={page} /> : <Beside tab={tab} page={page} />
  return (
    <>
      {(tab === 'page' || isEdited) && (
        <div hidden={tab !== 'page'}>
          <StatusPageForm page={page} onEdited={setEdited} />
        </div>
      )}
      {tab !== 'page' && (
        <>
          {isEdited && <StillToSave />}
          <Beside tab={tab} page={page} />
        </>
      )}
    </>
  )
}

function StillToSave(): ReactNode {
  return (
    <div className="mb-6">
      <Notice tone="warn">
        <Trans>Your changes under “Page” are not saved yet, so readers do not see them.</Trans>
      </Notice>
    </div>
  )
}

type BesideProps = { tab: Exclude<Tab, 'page'>; page: StatusPageRecord }

function Beside({ tab, page }: BesideProps): ReactNode {
  switch (tab) {
    case 'preview':
      return <StatusPagePreview page={page} />
    case 'announcements':
      return <Announcements pageId={page.id} />
    case 'subscribers':
      return <Subscribers page={page} />
    case 'embed':
      return page.visibility === 'public' ? (
        <StatusPageEmbed page={page} />
      ) : (
        <Section
          title={t`Only for public pages`}
          lead={t`Other sites can only show what everyone may read. Publish the page first.`}
        />
      )
  }
}
