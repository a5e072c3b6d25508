import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useParams, useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { ReportDraft, ReportRecord } from '../../api/reports.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { isTexts, nullOr } from '../../parts/drafts/draft-shape.ts'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { weekdayNames } from '../../parts/language.ts'
import { FormCard, PageHead, linkClass } from '../../parts/page.tsx'
import { MonitorReach } from '../../parts/form/monitor-reach.tsx'
import { TagsField } from '../../parts/form/tags-field.tsx'
import { CheckField, Fieldset } from '../../parts/schema/fieldset.tsx'
import { numberOf } from '../../parts/schema/read.ts'
import { readTags } from '../../parts/form/tags-field.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { ZoneField, ownZone } from '../../parts/form/zone-field.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useChanged, useWorkspace } from '../../session/workspace.tsx'
import { useContacts } from '../contacts/use-contacts.ts'
import { reportsKey, useReports, useReportsApi } from './use-reports.ts'

export function NewReportPage(): ReactNode {
  const mayWrite = useMayWrite()
  return (
    <>
      <PageHead
        title={t`New report`}
        lead={t`How last week or last month went, mailed to the people who want to know.`}
      />
      {mayWrite ? (
        <FormCard>
          <ReportForm report={null} />
        </FormCard>
      ) : (
        <p className="text-muted">
          <Trans>Viewers can read reports but not create them.</Trans>
        </p>
      )}
    </>
  )
}

export function ChangeReportPage(): ReactNode {
  const { id } = useParams({ from: '/inside/shell/reports/$id' })
  const { name: workspace } = useWorkspace().workspace
  const report = useReports().find((each) => each.id === id)
  const mayWrite = useMayWrite()
  if (report === undefined || !mayWrite)
    return (
      <>
        <PageHead
          title={report?.name ?? t`There is no such report`}
          lead={
            report === undefined ? t`It is not in ${workspace}, or it was deleted.` : t`Viewers cannot change reports.`
          }
        />
        <Link to="/reports" className={linkClass}>
          <Trans>To the reports</Trans>
        </Link>
      </>
    )
  return (
    <>
      <PageHead title={report.name} lead={t`A period that was sent already is not sent again.`} />
      <FormCard>
        <ReportForm key={id} report={report} />
      </FormCard>
    </>
  )
}

const areChosen = nullOr(isTexts)

function ReportForm({ report }: { report: ReportRecord | null }): ReactNode {
  const api = useReportsApi()
  const changed = useChanged()
  const router = useRouter()
  const toast = useToast()
  const [period, setPeriod] = useState<string>(report?.period ?? 'weekly')
  const [zone, setZone] = useState(report?.time_zone ?? ownZone())
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(() => chosenOf(report))
  const restore = (held: unknown): void => {
    if (areChosen(held)) setChosen(held === null ? null : new Set(held))
  }
  const submit = async (value: Values, sent: FormData): Promise<void> => {
    const draft = draftOf(value, sent, { period, zone, chosen, weekday: report?.weekday ?? 1 })
    const { name } = report === null ? await api.add(draft) : await api.change(report.id, draft)
    await changed(reportsKey)
    toast(report === null ? t`${name} is created.` : t`${name} is changed.`)
    router.history.push('/reports')
  }
  return (
    <Form
      submit={report === null ? t`Create it` : t`Save`}
      onSubmit={submit}
      isRoomy
      held={chosen === null ? null : [...chosen]}
      draft={{ form: 'report', isNew: report === null, restore }}
      beside={
        <ButtonLink to="/reports">
          <Trans>Cancel</Trans>
        </ButtonLink>
      }
    >
      <TextField name="name" label={t`Name`} defaultValue={report?.name ?? ''} autoComplete="off" />
      <When report={report} period={period} onPeriod={setPeriod} />
      <ZoneField name="time_zone" label={t`Time zone`} value={zone} onChange={setZone} />
      <MonitorReach
        chosen={chosen}
        some={t`Those with a tag, and chosen ones`}
        list={t`Chosen monitors`}
        onChange={setChosen}
      >
        <TagsField
          held={report?.tags ?? []}
          hint={t`Monitors that have one of these, including future ones. Separated by commas.`}
        />
      </MonitorReach>
      <TextField
        name="objective"
        label={t`Uptime objective (%)`}
        inputMode="decimal"
        autoComplete="off"
        defaultValue={String(report?.objective ?? 99.9)}
      />
      <Recipients held={report?.recipients ?? []} />
      <CheckField name="enabled" label={t`Send it`} defaultChecked={report?.enabled ?? true} />
    </Form>
  )
}

type WhenProps = { report: ReportRecord | null; period: string; onPeriod: (period: string) => void }

function When({ report, period, onPeriod }: WhenProps): ReactNode {
  return (
    <>
      <SelectField
        name="period"
        label={t`About`}
        defaultValue={period}
        onChange={onPeriod}
        options={[
          { value: 'weekly', label: t`every week` },
          { value: 'monthly', label: t`every month` },
        ]}
      />
      {period === 'weekly' && (
        <SelectField
          name="weekday"
          label={t`Sent on`}
          hint={t`After the week, which ends on Sunday.`}
          defaultValue={String(report?.weekday ?? 1)}
          options={weekdayNames().map(({ value, name }) => ({ value: String(value), label: name }))}
        />
      )}
      <SelectField
        name="hour"
        label={t({ message: 'At', context: 'time of day' })}
        defaultValue={String(report?.hour ?? 8)}
        options={Array.from({ length: 24 }, (_, hour) => {
          return { value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }
        })}
      />
    </>
  )
}

/** Only mail contacts whose readers have agreed, and those that had the report before. */
function Recipients({ held }: { held: readonly string[] }): ReactNode {
  const contacts = useContacts().flatMap(({ contact }) =>
    (contact.kind === 'email' && contact.confirmed) || held.includes(contact.id) ? [contact] : [],
  )
  return (
    <Fieldset name="recipients" legend={t`Sent to`} hint={t`Confirmed email contacts of the workspace.`}>
      {contacts.map(({ id, name, destination }) => (
        <CheckField
          key={id}
          name="recipients"
          value={id}
          label={
            <>
              {name} <span className="text-muted">{destination}</span>
            </>
          }
          defaultChecked={held.includes(id)}
        />
      ))}
      {contacts.length === 0 && (
        <p className="text-sm">
          <Trans>
            There is none yet. <Link to="/contacts">Add a contact</Link> first.
          </Trans>
        </p>
      )}
    </Fieldset>
  )
}

type Held = { period: string; zone: string; chosen: ReadonlySet<string> | null; weekday: number }

/** What cannot be read as a number is sent as it is, so that the service says what is wrong with it. */
function draftOf(value: Values, sent: FormData, { period, zone, chosen, weekday }: Held): ReportDraft {
  return {
    name: value('name'),
    period,
    time_zone: zone,
    weekday: period === 'weekly' ? Number(value('weekday')) : weekday,
    hour: Number(value('hour')),
    monitor_ids: chosen === null ? null : [...chosen],
    tags: chosen === null ? [] : readTags(sent),
    objective: numberOf(value('objective')) ?? '',
    recipients: sent.getAll('recipients').filter((id) => typeof id === 'string'),
    enabled: sent.has('enabled'),
  }
}

function chosenOf(report: ReportRecord | null): ReadonlySet<string> | null {
  if (report === null || (report.monitor_ids === null && report.tags.length === 0)) return null
  return new Set(report.monitor_ids)
}
