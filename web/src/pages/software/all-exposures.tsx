import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type ExposureFilter, pageExposures } from '../../api/exposures.ts'
import type { Exposure } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { Empty, Row, Rows } from '../../parts/list.tsx'
import { ShowOlder } from '../../parts/older.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { Awaited, Waiting } from '../../parts/waiting.tsx'
import { useWorkspace } from '../../session/workspace.tsx'
import { ExposureDetails } from './exposure-details.tsx'
import { Severity } from './severity.tsx'
import { exposureFilters, exposureFilterOf } from './exposure-filter.ts'

const readAgainMs = 30_000

const words: Readonly<Record<ExposureFilter, MessageDescriptor>> = {
  open: msg({ message: 'Open', context: 'exposures' }),
  closed: msg({ message: 'Ended', context: 'exposures' }),
  all: msg({ message: 'All', context: 'exposures' }),
}

const nothing: Readonly<Record<ExposureFilter, MessageDescriptor>> = {
  open: msg`No monitor is known to have software with a vulnerability that is exploited.`,
  closed: msg`No exposure has ended yet.`,
  all: msg`No monitor was known to have software with a vulnerability that is exploited.`,
}

/** What is, or was, known to be exploited in the software of all monitors. */
export function ExposuresPage(): ReactNode {
  const { status } = useSearch({ from: '/inside/shell/exposures' })
  const filter = exposureFilterOf(status)
  const navigate = useNavigate()
  const choose = (next: ExposureFilter): void =>
    void navigate({ to: '/exposures', search: next === 'open' ? {} : { status: next }, replace: true })
  return (
    <>
      <PageHead
        title={t`Exposures`}
        lead={t`Software of your monitors with vulnerabilities that are known to be exploited, the newest first.`}
      />
      <div role="group" aria-label={t`Status`} className="mb-4 flex flex-wrap gap-2">
        {exposureFilters.map((value) => (
          <Button key={value} aria-pressed={value === filter} onClick={() => choose(value)}>
            {i18n._(words[value])}
          </Button>
        ))}
      </div>
      <Awaited fallback={<Waiting />}>
        <Exposures filter={filter} />
      </Awaited>
    </>
  )
}

function Exposures({ filter }: { filter: ExposureFilter }): ReactNode {
  const { workspace } = useWorkspace()
  const pages = useSuspenseInfiniteQuery({
    queryKey: ['workspace', workspace.id, 'exposure-pages', filter],
    queryFn: ({ pageParam }) => pageExposures(workspace.id, { filter, cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: (page): string | null => page.next_cursor,
    refetchInterval: readAgainMs,
  })
  const exposures = pages.data.pages.flatMap(({ data }) => data)
  return (
    <Section title={i18n._(words[filter])}>
      {exposures.length === 0 && <Empty>{i18n._(nothing[filter])}</Empty>}
      <Rows label={t`Exposures`}>
        {exposures.map((exposure) => (
          <Row
            key={exposure.id}
            title={<Title exposure={exposure} />}
            details={<ExposureDetails exposure={exposure} />}
            isWordy
          />
        ))}
      </Rows>
      <ShowOlder pages={pages} />
    </Section>
  )
}

/** The page of a monitor that was deleted is gone. */
function Title({ exposure }: { exposure: Exposure }): ReactNode {
  const { monitor_id: id, monitor_name: name, outcome, severity } = exposure
  return (
    <>
      <Severity of={severity} />
      {outcome === 'monitor_deleted' ? (
        name
      ) : (
        <Link to="/monitors/$id" params={{ id }} search={{ tab: 'software' }} className="hover:underline">
          {name}
        </Link>
      )}
      {` · ${exposure.vuln_id} · ${exposure.software_name} ${exposure.version}`}
    </>
  )
}
