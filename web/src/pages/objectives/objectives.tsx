import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { SloRecord } from '../../api/objectives.ts'
import { Button } from '../../parts/button.tsx'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useRead } from '../../session/workspace.tsx'
import { attainedText, Budget, rateText } from './budget.tsx'
import { ObjectiveDialog } from './objective-form.tsx'
import { objectivesKey, readAgainMs, useObjectivesApi } from './use-objectives.ts'

export function ObjectivesPage(): ReactNode {
  const api = useObjectivesApi()
  const { data: slos } = useRead(objectivesKey, { read: () => api.list(), everyMs: readAgainMs })
  const mayWrite = useMayWrite()
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Trans>Add an objective</Trans>
    </Button>
  )
  return (
    <>
      <PageHead
        title={t`Objectives`}
        lead={t`How much of the time monitors should be up, and how much of the allowed downtime is left.`}
        action={mayWrite && add}
      />
      <Section title={t`Service level objectives`}>
        {slos.length === 0 && (
          <Empty>{t`None yet. An objective says what you promise, such as 99.9 % of 30 days, and alerts you before you miss it.`}</Empty>
        )}
        <Rows label={t`Objectives`}>
          {slos.map((slo) => (
            <ObjectiveRow key={slo.id} slo={slo} />
          ))}
        </Rows>
      </Section>
      {isAdding && <ObjectiveDialog of={null} onClose={() => setAdding(false)} />}
    </>
  )
}

function ObjectiveRow({ slo }: { slo: SloRecord }): ReactNode {
  const { id, name, state, monitor_count: count } = slo
  const { '1h': hour, '24h': day } = state.burn_rates
  const [hourText, dayText] = [rateText(hour), rateText(day)]
  return (
    <Row
      title={
        <>
          <Link to="/objectives/$id" params={{ id }} className="hover:underline">
            {name}
          </Link>
          <AlarmBadge of={slo} />
        </>
      }
      details={
        <>
          <span className="block">
            {attainedText(slo)} · {plural(count, { one: '# monitor', other: '# monitors' })}
          </span>
          {state.budget !== null && (
            <span className="block">{t`Burn rate: ${hourText} in 1 h, ${dayText} in 24 h`}</span>
          )}
        </>
      }
      action={
        <div className={state.budget === null ? '' : 'w-56'}>
          <Budget slo={slo} />
        </div>
      }
    />
  )
}

/** What contacts were told and is not over. */
export function AlarmBadge({ of: { alarm } }: { of: Pick<SloRecord, 'alarm'> }): ReactNode {
  if (alarm === null) return null
  return <Badge>{alarm.reason === 'used_up' ? <Trans>budget used up</Trans> : <Trans>burns too fast</Trans>}</Badge>
}
