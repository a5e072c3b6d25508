import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { StatusPageRecord } from '../../api/status-pages.ts'
import { CopyText } from '../../parts/copy.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { settingsQuery } from '../../session/session.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { useStatusPagesApi } from './page-api.ts'

const typingMs = 400
/** The same in all languages. */
const exampleSlug = 'acme'

/** `initial` is the page's own so far. */
type AddressProps = { slug: string; initial: string; pageId: string | null; onChange: (slug: string) => void }

/** Says whether the page could have this address, while it is typed. */
export function AddressField({ slug, initial, pageId, onChange }: AddressProps): ReactNode {
  const { data: settings } = useSuspenseQuery(settingsQuery)
  return (
    <div className="flex flex-col gap-1">
      <TextField
        name="slug"
        label={t`Address`}
        value={slug}
        onChange={(event) => onChange(event.currentTarget.value.toLowerCase().trim())}
        placeholder={exampleSlug}
        autoComplete="off"
        spellCheck={false}
      />
      <p className="text-sm text-muted wrap-anywhere">
        {`${settings.public_url}/status/`}
        <strong className="font-medium text-text">{slug === '' ? '…' : slug}</strong>
      </p>
      {slug !== '' && slug !== initial && <AddressCheck slug={slug} pageId={pageId} />}
    </div>
  )
}

function AddressCheck({ slug, pageId }: { slug: string; pageId: string | null }): ReactNode {
  const api = useStatusPagesApi()
  const { workspace } = useWorkspace()
  const [asked, setAsked] = useState(slug)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(slug), typingMs)
    return () => clearTimeout(timer)
  }, [slug])
  const { data } = useQuery({
    queryKey: ['workspace', workspace.id, 'status-address', asked, pageId],
    queryFn: () => api.checkAddress(asked, pageId),
    retry: false,
  })
  const isCurrent = asked === slug && data !== undefined
  return (
    <p role="status" className={`min-h-5 text-sm ${data?.problem === null ? 'text-good' : 'text-bad'}`}>
      {isCurrent && (data.problem ?? t`This address is free.`)}
    </p>
  )
}

/** `record` is awaited before the page is at the name. */
type DomainProps = { initial: string; record: StatusPageRecord['domain_record'] }

/** A name of its own, and what has to be done for it elsewhere. */
export function DomainField({ initial, record }: DomainProps): ReactNode {
  const { data: settings } = useSuspenseQuery(settingsQuery)
  const [domain, setDomain] = useState(initial)
  const host = new URL(settings.public_url).hostname
  const name = domain.trim() === '' ? 'status.example.com' : domain.trim()
  return (
    <div className="flex flex-col gap-2">
      <TextField
        name="domain"
        label={t`Custom domain`}
        hint={t`The page is then also at this name. It stays at its address here.`}
        placeholder="status.example.com"
        value={domain}
        onChange={(event) => setDomain(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      {record !== null && (
        <Notice tone="warn">
          <p className="mb-2">
            <Trans>
              Waiting for DNS: the page is at this name once the TXT record below shows that the name is yours. It is
              checked every two minutes.
            </Trans>
          </p>
          <CopyText label={t`TXT record`} text={`${record.name}. TXT "${record.value}"`} />
        </Notice>
      )}
      <details className="text-sm">
        <summary className="text-muted">
          <Trans>What to set up elsewhere</Trans>
        </summary>
        <ol className="mt-2 flex list-decimal flex-col gap-2 pl-5">
          <li>
            <Trans>Add this record at the DNS provider of the domain:</Trans>
            <CopyText label={t`DNS record`} text={`${name}. CNAME ${host}.`} />
          </li>
          <li>
            <Trans>
              Have the reverse proxy in front of Perigee accept the name, pass it on in the Host header and have a
              certificate for it. A proxy that creates certificates on demand can ask whether a name belongs to a status
              page, and gets 200 or 404:
            </Trans>
            <CopyText label={t`Address to ask`} text={`${settings.public_url}/status-domain?domain=${name}`} />
          </li>
        </ol>
      </details>
    </div>
  )
}
