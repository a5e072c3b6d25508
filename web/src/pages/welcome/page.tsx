import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Navigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useRead, useWorkspace } from '../../session/workspace.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { statusPagesKey, useStatusPagesApi } from '../status-pages/page-api.ts'
import { useContacts } from '../contacts/use-contacts.ts'
import type { MonitorList } from '../monitors/monitors-rows.ts'
import { useMonitorList } from '../monitors/use-monitor-list.ts'
import { DoneStep } from './done-step.tsx'
import { NameStep } from './name-step.tsx'
import { type GoOn, Outcome, useGoingOn } from './outcome.tsx'
import { ShowStep } from './show-step.tsx'
import { StepFrame } from './step-frame.tsx'
import { StepList } from './step-list.tsx'
import { type Progress, type StepName, nextStep, stepTitles, stepsFor } from './steps.ts'
import { TellStep } from './tell-step.tsx'
import { WatchStep } from './watch-step.tsx'

/** From an empty workspace to one that watches, tells and shows. What is done is seen by what there is. */
export function WelcomePage(): ReactNode {
  const { workspace } = useWorkspace()
  const mayWrite = useMayWrite()
  const { name } = workspace
  return (
    <div className="mx-auto max-w-[45rem]">
      <header className="mb-6">
        <div className="flex items-start justify-between gap-4">
          <h1 className="min-w-0 text-2xl font-semibold tracking-tight wrap-anywhere">{t`Set up ${name}`}</h1>
          <span className="-mr-3.5 shrink-0">
            <ButtonLink to="/monitors" look="quiet">
              {mayWrite ? t`Finish later` : t`To the monitors`}
            </ButtonLink>
          </span>
        </div>
        {mayWrite && (
          <p className="mt-1 text-muted">
            <Trans>Each step continues by itself once it is done. You can skip every step and do it later.</Trans>
          </p>
        )}
      </header>
      {mayWrite ? (
        <Wizard key={workspace.id} />
      ) : (
        <>
          <title>{`${t`Set up ${name}`} · Perigee`}</title>
          <Notice>{t`Viewers of ${name} cannot change anything in it.`}</Notice>
        </>
      )}
    </div>
  )
}

function Wizard(): ReactNode {
  const { workspace } = useWorkspace()
  const { step: wanted } = useSearch({ from: '/inside/shell/welcome' })
  const pages = useStatusPagesApi()
  const { list } = useMonitorList()
  const contacts = useContacts()
  const { data: statusPages } = useRead(statusPagesKey, { read: () => pages.list() })
  const { name, role } = workspace
  const steps = stepsFor(role)
  const progress: Progress = {
    name,
    monitors: list.rows.length,
    contacts: contacts.length,
    statusPages: statusPages.length,
  }
  const step = steps.find((each) => each === wanted)
  const { goOn, outcome } = useGoingOn({ steps, step, progress })
  // The address says the step from then on, so that what is done in it does not end it.
  if (step === undefined) return <Navigate to="/welcome" search={{ step: nextStep(steps, progress) }} replace />
  const [number, all] = [steps.indexOf(step) + 1, steps.length]
  const title = i18n._(stepTitles[step])
  return (
    <>
      <title>{`${t`Step ${number} of ${all}: ${title}`} · Perigee`}</title>
      <StepList steps={steps} step={step} progress={progress} />
      <Outcome>{outcome}</Outcome>
      <StepFrame key={step} steps={steps} step={step} progress={progress}>
        <Step step={step} list={list} progress={progress} goOn={goOn} />
      </StepFrame>
    </>
  )
}

type StepProps = { step: StepName; list: MonitorList; progress: Progress; goOn: GoOn }

function Step({ step, list, progress, goOn }: StepProps): ReactNode {
  switch (step) {
    case 'workspace':
      return <NameStep goOn={goOn} />
    case 'monitors':
      return <WatchStep list={list} goOn={goOn} />
    case 'contacts':
      return <TellStep goOn={goOn} />
    case 'status-page':
      return <ShowStep goOn={goOn} />
    case 'done':
      return <DoneStep list={list} progress={progress} />
  }
}
