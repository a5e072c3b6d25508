import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { MonitorRecord } from '../../api/console.ts'
import type { StatusPageRecord, StatusPagesApi } from '../../api/status-pages.ts'
import { CopyText } from '../../parts/copy.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { showsInternalAddress } from '../../parts/internal-names.ts'
import { MonitorPicker, useAllMonitors } from '../../parts/form/monitor-picker.tsx'
import { Notice } from '../../parts/notice.tsx'
import { linkClass } from '../../parts/page.tsx'
import { useChanged, useRead, useWorkspace } from '../../session/workspace.tsx'
import { AddressField } from '../status-pages/page-address.tsx'
import { statusPagesKey, useStatusPagesApi } from '../status-pages/page-api.ts'
import { VisibilityFields } from '../status-pages/page-form.tsx'
import { proposedAddresses, proposedTitle } from './addresses.ts'
import type { GoOn } from './outcome.tsx'

/** The pages that there are, or the first one. */
export function ShowStep({ goOn }: { goOn: GoOn }): ReactNode {
  const api = useStatusPagesApi()
  const { data: pages } = useRead(statusPagesKey, { read: () => api.list() })
  return pages.length === 0 ? <FirstPage goOn={goOn} /> : <Pages pages={pages} />
}

function Pages({ pages }: { pages: readonly StatusPageRecord[] }): ReactNode {
  return (
    <ul className="flex flex-col gap-5">
      {pages.map((page) => (
        <li key={page.id}>
          <PageThere page={page} />
        </li>
      ))}
    </ul>
  )
}

/** Where a page is, and what can be done with it. */
function PageThere({ page: { id, title, url, visibility } }: { page: StatusPageRecord }): ReactNode {
  return (
    <div className="flex flex-col gap-2">
      <p>
        <span className="font-medium">{title}</span>{' '}
        <span className="text-muted">
          {visibility === 'draft' ? <Trans>is a draft: no one can read it yet.</Trans> : <Trans>is at</Trans>}
        </span>
      </p>
      {visibility !== 'draft' && <CopyText label={t`Address of ${title}`} text={url} />}
      <p className="flex flex-wrap gap-x-4 text-sm">
        {visibility !== 'draft' && (
          <a href={url} target="_blank" rel="noreferrer" className={linkClass}>
            <Trans>Look at it</Trans>
          </a>
        )}
        <Link to="/status-pages/$id" params={{ id }} className={linkClass}>
          {visibility === 'draft' ? t`Change or publish it` : t`Change it`}
        </Link>
      </p>
    </div>
  )
}

/** As few questions as a page needs; everything else has defaults, and is asked at the page itself. */
function FirstPage({ goOn }: { goOn: GoOn }): ReactNode {
  const { workspace } = useWorkspace()
  const api = useStatusPagesApi()
  const changed = useChanged()
  const monitors = useAllMonitors()
  const title = proposedTitle(workspace.name, offered(monitors))
  const { data: proposed } = useRead(`address for ${title}`, { read: () => firstFree(api, title) })
  const [slug, setSlug] = useState(proposed)
  const [visibility, setVisibility] = useState<StatusPageRecord['visibility']>('public')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(offered(monitors).map(({ id }) => id)))
  const submit = async (value: Values): Promise<void> => {
    const shown = monitors.filter(({ id }) => chosen.has(id)).map(({ id }) => ({ monitor_id: id, name: null }))
    const password = value('password')
    const made = await api.create({
      title: value('title'),
      slug,
      visibility,
      sections: [{ name: '', monitors: shown }],
      ...(password === '' ? {} : { password }),
    })
    await changed(statusPagesKey)
    await goOn(<PageThere page={made} />)
  }
  return (
    <Form
      submit={visibility === 'draft' ? t`Save the draft` : t`Publish the page`}
      onSubmit={submit}
      held={[...chosen]}
      isRoomy
    >
      <TextField name="title" label={t`Title`} defaultValue={title} autoComplete="off" />
      <AddressField slug={slug} initial="" pageId={null} onChange={setSlug} />
      {monitors.length === 0 ? <NothingToShow /> : null}
      {monitors.length > 0 && (
        <MonitorPicker label={t`Monitors on the page`} monitors={monitors} chosen={chosen} onChange={setChosen} />
      )}
      <Internal count={monitors.filter(showsInternalAddress).length} />
      <VisibilityFields page={null} visibility={visibility} onChange={setVisibility} />
    </Form>
  )
}

function NothingToShow(): ReactNode {
  return (
    <Notice>
      <Trans>
        There is nothing to show yet.{' '}
        <Link to="/welcome" search={{ step: 'monitors' }} className={linkClass}>
          Choose what to watch
        </Link>{' '}
        first, or create an empty page.
      </Trans>
    </Notice>
  )
}

/** A page takes no more. */
const mostMonitors = 200

/** Everything whose name readers may see. */
function offered(monitors: readonly MonitorRecord[]): readonly MonitorRecord[] {
  return monitors.filter((monitor) => !showsInternalAddress(monitor)).slice(0, mostMonitors)
}

function Internal({ count }: { count: number }): ReactNode {
  if (count === 0) return null
  return (
    <p className="text-sm text-muted">
      <Plural
        value={count}
        one="# monitor is named after an address of your network, which every reader would see, so it is not ticked. Give it another name first, or tick it."
        other="# monitors are named after addresses of your network, which every reader would see, so they are not ticked. Give them other names first, or tick them."
      />
    </p>
  )
}

/** The first of some addresses that a page could have; "" where there is none. */
async function firstFree(api: StatusPagesApi, name: string): Promise<string> {
  for (const slug of proposedAddresses(name)) if ((await api.checkAddress(slug, null)).problem === null) return slug
  return ''
}
