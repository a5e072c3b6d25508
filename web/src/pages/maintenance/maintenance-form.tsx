import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useParams, useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { MaintenanceRecord } from '../../api/maintenance.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { isTexts, nullOr, recordOf } from '../../parts/drafts/draft-shape.ts'
import { AreaField, TextField } from '../../parts/form/field.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { listed } from '../../parts/language.ts'
import { useAllMonitors } from '../../parts/form/monitor-picker.tsx'
import { MonitorReach } from '../../parts/form/monitor-reach.tsx'
import { FormCard, PageHead, Section, linkClass } from '../../parts/page.tsx'
import { CheckField } from '../../parts/schema/fieldset.tsx'
import { TagsField, readTags } from '../../parts/form/tags-field.tsx'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { maintenanceKey, readAgainMs, useMaintenanceApi } from '../../parts/use-maintenance.ts'
import { ownZone } from '../../parts/form/zone-field.tsx'
import { useChanged, useRead, useWorkspace } from '../../session/workspace.tsx'
import { type KeptDraft, draftOf, inputOf, isKeptDraft, keptDraft, withKept } from './maintenance-draft.ts'
import { ScheduleFields } from './maintenance-schedule.tsx'
import { repeatText, taggedText, timeOf } from './maintenance-words.ts'
import { useMayWrite } from '../../session/use-monitors.ts'

export function NewMaintenancePage(): ReactNode {
  const mayWrite = useMayWrite()
  return (
    <>
      <PageHead title={t`Plan maintenance`} lead={t`Checks continue. No one is alerted about outages until it ends.`} />
      {mayWrite ? (
        <FormCard>
          <MaintenanceForm window={null} />
        </FormCard>
      ) : (
        <p className="text-muted">
          <Trans>Viewers cannot plan maintenance.</Trans>
        </p>
      )}
    </>
  )
}

export function ChangeMaintenancePage(): ReactNode {
  const { id } = useParams({ from: '/inside/shell/maintenance/$id' })
  const { name: workspace } = useWorkspace().workspace
  const api = useMaintenanceApi()
  const mayWrite = useMayWrite()
  const { data: windows } = useRead(maintenanceKey, { read: () => api.list(), everyMs: readAgainMs })
  const window = windows.find((each) => each.id === id)
  if (window === undefined)
    return (
      <>
        <PageHead title={t`There is no such maintenance`} lead={t`It is not in ${workspace}, or it was deleted.`} />
        <Link to="/maintenance" className={linkClass}>
          <Trans>To the maintenance</Trans>
        </Link>
      </>
    )
  return (
    <>
      <PageHead
        title={window.name}
        {...(mayWrite ? { lead: t`A new time plans it again; other changes keep the times.` } : {})}
      />
      {mayWrite ? (
        <FormCard>
          <MaintenanceForm key={id} window={window} />
        </FormCard>
      ) : (
        <About window={window} />
      )}
    </>
  )
}

type WindowProps = { window: MaintenanceRecord }

/** For viewers. */
function About({ window }: WindowProps): ReactNode {
  const monitors = useAllMonitors()
  const time = timeOf(window)
  const repeats = repeatText(window.schedule, window.time_zone)
  const names = new Map(monitors.map(({ id, name }) => [id, name]))
  return (
    <Section title={t`About`}>
      <Facts>
        {time !== null && (
          <Fact term={window.current === null ? t`When` : t`Now`}>
            <Trans>
              <Time at={time.starts_at} /> to <Time at={time.ends_at} />
            </Trans>
          </Fact>
        )}
        {repeats !== null && <Fact term={t`Repeats`}>{repeats}</Fact>}
        <Fact term={t`Monitors`}>
          {window.monitor_ids === null
            ? t`all, including future ones`
            : listed([
                ...window.monitor_ids.map((id) => names.get(id) ?? id),
                ...(window.monitor_tags.length === 0 ? [] : [taggedText(window.monitor_tags)]),
              ])}
        </Fact>
        <Fact term={t`Uptime`}>{window.excludes_uptime ? t`leaves it out` : t`counts it`}</Fact>
        {window.tags.length > 0 && <Fact term={t`Tags`}>{listed(window.tags)}</Fact>}
        {window.description !== null && <Fact term={t`Description`}>{window.description}</Fact>}
      </Facts>
    </Section>
  )
}

type Held = { schedule: KeptDraft; chosen: string[] | null }
const isHeld = recordOf<Held>({ schedule: isKeptDraft, chosen: nullOr(isTexts) })

/** What the form holds beside its fields, and how it is put back. */
function useHeld(window: MaintenanceRecord | null) {
  const [draft, setDraft] = useState(() => draftOf(window, new Date(), ownZone()))
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(() => chosenOf(window))
  const restore = (kept: unknown): void => {
    if (!isHeld(kept)) return
    setDraft(withKept(draft, kept.schedule))
    setChosen(kept.chosen === null ? null : new Set(kept.chosen))
  }
  const held: Held = { schedule: keptDraft(draft), chosen: chosen === null ? null : [...chosen] }
  return { draft, setDraft, chosen, setChosen, held, restore }
}

function MaintenanceForm({ window }: { window: MaintenanceRecord | null }): ReactNode {
  const api = useMaintenanceApi()
  const changed = useChanged()
  const router = useRouter()
  const toast = useToast()
  const { draft, setDraft, chosen, setChosen, held, restore } = useHeld(window)
  const submit = async (value: Values, sent: FormData): Promise<void> => {
    const input = inputOf(draft, {
      name: value('name'),
      description: value('description').trim() === '' ? null : value('description'),
      monitor_ids: chosen === null ? null : [...chosen],
      monitor_tags: chosen === null ? [] : readTags(sent, 'monitor_tags'),
      excludes_uptime: value('excludes_uptime') !== '',
      tags: readTags(sent),
    })
    const { name } = window === null ? await api.plan(input) : await api.change(window.id, input)
    await changed(maintenanceKey)
    toast(window === null ? t`${name} is planned.` : t`${name} is changed.`)
    router.history.push('/maintenance')
  }
  return (
    <Form
      submit={window === null ? t`Plan it` : t`Save`}
      onSubmit={submit}
      isRoomy
      held={held}
      draft={{ form: 'maintenance', isNew: window === null, restore }}
      beside={
        <ButtonLink to="/maintenance">
          <Trans>Cancel</Trans>
        </ButtonLink>
      }
    >
      <TextField
        name="name"
        label={t`Name`}
        hint={t`Shown on status pages.`}
        defaultValue={window?.name ?? ''}
        autoComplete="off"
      />
      <AreaField
        name="description"
        label={t`Description`}
        hint={t`Shown on status pages, if there is any.`}
        defaultValue={window?.description ?? ''}
        rows={3}
      />
      <ScheduleFields draft={draft} onChange={setDraft} />
      <Reach chosen={chosen} tags={window?.monitor_tags ?? []} onChange={setChosen} />
      <CheckField
        name="excludes_uptime"
        label={t`Leave it out of uptime`}
        hint={t`Its checks do not count in uptime figures or daily bars. What was counted before stays.`}
        defaultChecked={window?.excludes_uptime ?? false}
      />
      <TagsField held={window?.tags ?? []} />
    </Form>
  )
}

function chosenOf(window: MaintenanceRecord | null): ReadonlySet<string> | null {
  const ids = window?.monitor_ids ?? null
  return ids === null ? null : new Set(ids)
}

type ReachProps = {
  chosen: ReadonlySet<string> | null
  tags: readonly string[]
  onChange: (chosen: ReadonlySet<string> | null) => void
}

function Reach({ tags, ...props }: ReachProps): ReactNode {
  return (
    <MonitorReach {...props} some={t({ message: 'These', context: 'monitors' })} list={t`Monitors in maintenance`}>
      <TagsField
        name="monitor_tags"
        label={t`Monitors with a tag`}
        held={tags}
        hint={t`Separated by commas. Monitors that get such a tag later, even during the maintenance, are included; those that lose it are not.`}
      />
    </MonitorReach>
  )
}
