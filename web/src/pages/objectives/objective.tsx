import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Link, useParams, useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { SloDetail } from '../../api/objectives.ts'
import { Button } from '../../parts/button.tsx'
import { DeleteDialog } from '../../parts/overlays/dialog.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { listed } from '../../parts/language.ts'
import { PageHead, Section } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import { Cell, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { spanText } from '../incidents/incident-parts.tsx'
import { attainedText, Budget, rateText } from './budget.tsx'
import { ObjectiveDialog } from './objective-form.tsx'
import { AlarmBadge } from './objectives.tsx'
import { objectiveKey, objectivesKey, readAgainMs, useObjectivesApi } from './use-objectives.ts'

export function ObjectivePage(): ReactNode {
  const { id } = useParams({ from: '/inside/shell/objectives/$id' })
  const api = useObjectivesApi()
  const { data: slo } = useRead(objectiveKey(id), { read: () => api.get(id), everyMs: readAgainMs })
  const mayWrite = useMayWrite()
  const [asked, setAsked] = useState<'change' | 'delete' | null>(null)
  const close = (): void => setAsked(null)
  const actions = (
    <div className="flex gap-2">
      <Button onClick={() => setAsked('change')}>
        <Trans>Change</Trans>
      </Button>
      <Button look="danger" onClick={() => setAsked('delete')}>
        <Trans>Delete</Trans>
      </Button>
    </div>
  )
  return (
    <>
      <PageHead title={slo.name} lead={attainedText(slo)} action={mayWrite && actions} />
      <Section title={t`Error budget`} action={<Alarm slo={slo} />}>
        <Budget slo={slo} />
        <div className="mt-4">
          <Figures slo={slo} />
        </div>
      </Section>
      <Section title={t`Monitors`} lead={t`How much of the budget each used, the most first.`}>
        <Parts slo={slo} />
      </Section>
      {asked === 'change' && <ObjectiveDialog of={slo} onClose={close} />}
      {asked === 'delete' && <Delete slo={slo} onClose={close} />}
    </>
  )
}

function Figures({ slo }: { slo: SloDetail }): ReactNode {
  const { state, tags, alarm, alerts } = slo
  const { budget, measured_from: from } = state
  const { '1h': hour, '6h': hours, '24h': day, '3d': days } = state.burn_rates
  return (
    <Facts>
      <Fact term={t`Measured`}>
        {from === null ? (
          t`not yet`
        ) : (
          <Trans>
            since <Time at={from} />
          </Trans>
        )}
      </Fact>
      {budget !== null && (
        <>
          <Fact term={t`Budget`}>{spanText(budget.total_seconds * 1000)}</Fact>
          <Fact term={t`Used`}>{budget.used_seconds === 0 ? t`nothing` : spanText(budget.used_seconds * 1000)}</Fact>
          <Fact term={t`Burn rate`}>
            {t`${rateText(hour)} in 1 h, ${rateText(hours)} in 6 h, ${rateText(day)} in 24 h, ${rateText(days)} in 3 d`}
          </Fact>
          {budget.ends_at !== null && (
            <Fact term={t`Used up at this rate`}>
              <Time at={budget.ends_at} />
            </Fact>
          )}
        </>
      )}
      {tags.length > 0 && <Fact term={t`Tags`}>{listed(tags)}</Fact>}
      <Fact term={t`Alerts`}>{alarm === null ? alerts ? t`on` : t`off` : <Since alarm={alarm} />}</Fact>
    </Facts>
  )
}

function Since({ alarm }: { alarm: NonNullable<SloDetail['alarm']> }): ReactNode {
  const { since, acknowledged_at: at, acknowledged_by: by } = alarm
  return (
    <>
      <Trans>
        alerted since <Time at={since} />
      </Trans>
      {at !== null && (
        <span className="block">
          <Trans>
            acknowledged by {by}, <Time at={at} />
          </Trans>
        </span>
      )}
    </>
  )
}

function Alarm({ slo }: { slo: SloDetail }): ReactNode {
  const { id, alarm } = slo
  const api = useObjectivesApi()
  const changed = useChanged()
  const toast = useToast()
  const mayWrite = useMayWrite()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.acknowledge(id),
    onSuccess: () => {
      toast(t`Acknowledged. The end of the alarm is still sent.`)
      return changed(objectivesKey, objectiveKey(id))
    },
    onError: (error) => toast(problemOf(error).message),
  })
  return (
    <div className="flex items-center gap-2">
      <AlarmBadge of={slo} />
      {alarm !== null && alarm.acknowledged_at === null && mayWrite && (
        <Button isBusy={isPending} onClick={() => mutate()}>
          <Trans>Acknowledge</Trans>
        </Button>
      )}
    </div>
  )
}

function Parts({ slo: { monitors } }: { slo: SloDetail }): ReactNode {
  const columns = [
    { title: t`Monitor` },
    { title: t`Down`, align: 'right' as const },
    { title: t`Of the budget`, align: 'right' as const },
  ]
  return (
    <Table label={t`Monitors`} columns={columns}>
      {monitors.map(({ monitor_id: id, name, down_seconds: down, budget_percent: percent }) => (
        <tr key={id}>
          <Cell>
            <Link to="/monitors/$id" params={{ id }} className="hover:underline">
              {name}
            </Link>
          </Cell>
          <Cell align="right">{down === 0 ? '–' : spanText(down * 1000)}</Cell>
          <Cell align="right">{t`${percent} %`}</Cell>
        </tr>
      ))}
    </Table>
  )
}

function Delete({ slo: { id, name }, onClose }: { slo: SloDetail; onClose: () => void }): ReactNode {
  const api = useObjectivesApi()
  const changed = useChanged()
  const router = useRouter()
  const submit = async (): Promise<void> => {
    await api.remove(id)
    router.history.push('/objectives')
    await changed(objectivesKey)
  }
  return (
    <DeleteDialog title={t`Delete ${name}?`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>Monitors and incidents stay. Contacts are no longer alerted about this budget.</Trans>
      </p>
    </DeleteDialog>
  )
}
