import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { ImportReport } from '../../api/imports.ts'
import { Button } from '../../parts/button.tsx'
import { Badge } from '../../parts/list.tsx'
import { Status } from '../../parts/status.tsx'
import { Cell, Table } from '../../parts/table.tsx'
import type { Trial, Trials } from './use-trials.ts'

/** Rows of a table at first: some files have thousands. */
const shownFirst = 100

type ArrivingProps = { report: ImportReport; trials: Trials }

export function Arriving({ report, trials }: ArrivingProps): ReactNode {
  const { monitors, present } = report
  const [isWhole, setWhole] = useState(false)
  const there = new Set(present.flatMap(({ section, key }) => (section === 'monitors' ? [key] : [])))
  if (monitors.length === 0) return null
  const shown = isWhole ? monitors : monitors.slice(0, shownFirst)
  const more = monitors.length - shown.length
  return (
    <div className="flex flex-col gap-3">
      <Table
        label={t`Monitors to import`}
        columns={[{ title: t`Monitor` }, { title: t`Target`, isExtra: true }, { title: t`Now` }]}
      >
        {shown.map((monitor) => (
          <tr key={monitor.key}>
            <Cell>
              <span className="font-medium">{monitor.name}</span>
              <span className="block text-xs text-muted">{aboutMonitor(monitor)}</span>
              {monitor.url !== null && <span className="block text-xs text-muted sm:hidden">{monitor.url}</span>}
            </Cell>
            <Cell isExtra>{monitor.url ?? ''}</Cell>
            <Cell>
              {there.has(monitor.key) ? (
                <Badge>
                  <Trans>Already there</Trans>
                </Badge>
              ) : (
                <Tried trial={trials.found.get(monitor.key)} />
              )}
            </Cell>
          </tr>
        ))}
      </Table>
      {more > 0 && (
        <Button onClick={() => setWhole(true)}>
          <Plural value={more} one="Show # more" other="Show # more" />
        </Button>
      )}
    </div>
  )
}

function aboutMonitor({ kind, paused, keeps_address: keeps, history_days: days }: ImportReport['monitors'][number]) {
  return [
    kind,
    ...(paused ? [t`paused`] : []),
    ...(keeps ? [t`keeps its address`] : []),
    ...(days > 0 ? [plural(days, { one: '# day of history', other: '# days of history' })] : []),
  ].join(' · ')
}

function Tried({ trial }: { trial: Trial | undefined }): ReactNode {
  if (trial === undefined) return null
  return (
    <>
      {trial.status !== null && <Status of={trial.status} />}
      {trial.error !== null && <span className="mt-1 block text-xs text-muted">{trial.error}</span>}
    </>
  )
}

/** What arrives beside the monitors. */
export function OthersArriving({ report }: { report: ImportReport }): ReactNode {
  const { contacts, status_pages: pages, maintenance, present } = report
  const there = new Set(present.map(({ section, key }) => `${section} ${key}`))
  const rows = [
    ...contacts.map(({ key, name, kind }) => ({ id: `contacts ${key}`, name, what: t`Contact, ${kind}` })),
    ...pages.map(({ key, title }) => ({ id: `status_pages ${key}`, name: title, what: t`Status page` })),
    ...maintenance.map(({ key, name }) => ({ id: `maintenance ${key}`, name, what: t`Maintenance` })),
  ]
  if (rows.length === 0) return null
  return (
    <Table label={t`What else is imported`} columns={[{ title: t`Also` }, { title: t`What it is` }]}>
      {rows.map(({ id, name, what }) => (
        <tr key={id}>
          <Cell>
            {name}
            {there.has(id) && (
              <Badge>
                <Trans>Already there</Trans>
              </Badge>
            )}
          </Cell>
          <Cell>{what}</Cell>
        </tr>
      ))}
    </Table>
  )
}
