import { Link, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { StatusPageRecord } from '../api/status-pages.ts'
import { Button } from '../parts/button.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { PageHead, Section, linkClass } from '../parts/page.tsx'
import { useToast } from '../parts/toast.tsx'
import { useChanged, useRead, useWorkspace } from '../workspace.tsx'
import { useMayWrite } from './monitor/use-monitors.ts'
import { statusPageKey, statusPagesKey, useStatusPagesApi } from './status-page-api.ts'
import { StatusPageEmbed } from './status-page-embed.tsx'
import { StatusPageForm, StatusPageFacts } from './status-page-form.tsx'
import { Announcements } from './status-page-posts.tsx'
import { Subscribers } from './status-page-subscribers.tsx'

const tabs = [
  { value: 'page', label: 'Page' },
  { value: 'announcements', label: 'Announcements' },
  { value: 'subscribers', label: 'Subscribers' },
  { value: 'embed', label: 'Embed' },
] as const
type Tab = (typeof tabs)[number]['value']

export function NewStatusPagePage(): ReactNode {
  const mayWrite = useMayWrite()
  return (
    <>
      <PageHead
        title="New status page"
        lead="It can be read by everybody as soon as it is made, unless you make it a draft."
      />
      {mayWrite ? (
        <StatusPageForm page={null} />
      ) : (
        <p className="text-muted">Viewers read status pages, and make none.</p>
      )}
    </>
  )
}

export function StatusPagePage(): ReactNode {
  const { id } = useParams({ from: '/inside/shell/status-pages/$id' })
  const { tab: wanted } = useSearch({ from: '/inside/shell/status-pages/$id' })
  const { workspace } = useWorkspace()
  const api = useStatusPagesApi()
  const { data: page } = useRead(statusPageKey(id), { read: () => api.read(id) })
  if (page === null)
    return (
      <>
        <PageHead title="There is no such status page" lead={`It is not in ${workspace.name}, or it is gone.`} />
        <Link to="/status-pages" className={linkClass}>
          To the status pages
        </Link>
      </>
    )
  const tab = tabs.find(({ value }) => value === wanted)?.value ?? 'page'
  return (
    <>
      <Head page={page} />
      <nav aria-label="Of this page" className="mb-6 flex flex-wrap gap-x-1 border-b border-line">
        {tabs.map(({ value, label }) => (
          <Link
            key={value}
            to="/status-pages/$id"
            params={{ id }}
            search={value === 'page' ? {} : { tab: value }}
            activeOptions={{ exact: true }}
            className="-mb-px border-b-2 border-transparent px-3 py-2 text-sm text-muted hover:text-text aria-[current=page]:border-accent-text aria-[current=page]:font-medium aria-[current=page]:text-text"
          >
            {label}
          </Link>
        ))}
      </nav>
      <Shown key={id} tab={tab} page={page} />
    </>
  )
}

function Head({ page }: { page: StatusPageRecord }): ReactNode {
  const mayWrite = useMayWrite()
  const [isAsked, setAsked] = useState(false)
  const { title, url, domain, visibility } = page
  const addresses = domain === null ? [url] : [url, `https://${domain}`]
  const lead =
    visibility === 'draft' ? (
      'A draft: nobody can read it yet.'
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
              Delete
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
    toast(`${title} is deleted.`)
    router.history.push('/status-pages')
    await changed(statusPagesKey)
  }
  return (
    <FormDialog title={`Delete ${title}?`} submit="Delete for good" look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        Its address answers nobody any more, and its announcements and subscribers are gone for good. What was written
        about incidents stays.
      </p>
    </FormDialog>
  )
}

function Shown({ tab, page }: { tab: Tab; page: StatusPageRecord }): ReactNode {
  const mayWrite = useMayWrite()
  switch (tab) {
    case 'page':
      return mayWrite ? <StatusPageForm page={page} /> : <StatusPageFacts page={page} />
    case 'announcements':
      return <Announcements pageId={page.id} />
    case 'subscribers':
      return <Subscribers page={page} />
    case 'embed':
      return page.visibility === 'public' ? (
        <StatusPageEmbed page={page} />
      ) : (
        <Section
          title="Only of public pages"
          lead="Other sites show what everybody may read. Make the page public first."
        />
      )
  }
}
