import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { MonitorRecord } from '../../api/console.ts'
import type { StatusPageRecord, StatusPagesApi } from '../../api/status-pages.ts'
import { Arrival } from '../../parts/arrival.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form, type Values } from '../../parts/form.tsx'
import { showsInternalAddress } from '../../parts/internal-names.ts'
import { MonitorPicker, useAllMonitors } from '../../parts/monitor-picker.tsx'
import { Notice } from '../../parts/notice.tsx'
import { linkClass } from '../../parts/page.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useChanged, useRead, useWorkspace } from '../../session/workspace.tsx'
import { AddressField } from '../status-pages/page-address.tsx'
import { statusPagesKey, useStatusPagesApi } from '../status-pages/page-api.ts'
import { VisibilityFields } from '../status-pages/page-form.tsx'
import { proposedAddresses } from './addresses.ts'

/** The pages that there are, or the first one. */
export function ShowStep(): ReactNode {
  const api = useStatusPagesApi()
  const { data: pages } = useRead(statusPagesKey, { read: () => api.list() })
  const [isMade, setMade] = useState(false)
  if (pages.length === 0) return <FirstPage onMade={() => setMade(true)} />
  const present = <Pages pages={pages} />
  return isMade ? <Arrival>{present}</Arrival> : present
}

function Pages({ pages }: { pages: readonly StatusPageRecord[] }): ReactNode {
  return (
    <ul className="flex flex-col gap-5">
      {pages.map(({ id, title, url, visibility }) => (
        <li key={id} className="flex flex-col gap-2">
          <p>
            <span className="font-medium">{title}</span>{' '}
            <span className="text-muted">
              {visibility === 'draft' ? <Trans>is a draft: nobody can read it yet.</Trans> : <Trans>is at</Trans>}
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
        </li>
      ))}
    </ul>
  )
}

/** As few questions as a page needs; everything else has defaults, and is asked at the page itself. */
function FirstPage({ onMade }: { onMade: () => void }): ReactNode {
  const { workspace } = useWorkspace()
  const api = useStatusPagesApi()
  const changed = useChanged()
  const toast = useToast()
  const monitors = useAllMonitors()
  const { data: proposed } = useRead(`address for ${workspace.name}`, { read: () => firstFree(api, workspace.name) })
  const [slug, setSlug] = useState(proposed)
  const [visibility, setVisibility] = useState<StatusPageRecord['visibility']>('public')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(offered(monitors).map(({ id }) => id)))
  const submit = async (value: Values): Promise<void> => {
    const shown = monitors.filter(({ id }) => chosen.has(id)).map(({ id }) => ({ monitor_id: id, name: null }))
    const password = value('password')
    await api.create({
      title: value('title'),
      slug,
      visibility,
      sections: [{ name: '', monitors: shown }],
      ...(password === '' ? {} : { password }),
    })
    onMade()
    await changed(statusPagesKey)
    toast(visibility === 'draft' ? t`The page is saved as a draft.` : t`The page is published.`)
  }
  return (
    <Form
      submit={visibility === 'draft' ? t`Save the draft` : t`Publish the page`}
      onSubmit={submit}
      held={[...chosen]}
      isRoomy
    >
      <TextField name="title" label={t`Title`} defaultValue={workspace.name} autoComplete="off" />
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
        first, or make an empty page.
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
        one="# monitor is named by an address of your network, which every reader would see, so it is not ticked. Give it another name first, or tick it."
        other="# monitors are named by addresses of your network, which every reader would see, so they are not ticked. Give them other names first, or tick them."
      />
    </p>
  )
}

/** The first of some addresses that a page could have; "" where there is none. */
async function firstFree(api: StatusPagesApi, name: string): Promise<string> {
  for (const slug of proposedAddresses(name)) if ((await api.checkAddress(slug, null)).problem === null) return slug
  return ''
}
