import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useId, useMemo } from 'react'
import type { TrialRecord } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { Restored } from '../../parts/drafts/restored-note.tsx'
import { FormContext } from '../../parts/form/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { isRecord } from '../../parts/schema/check.ts'
import { useMonitors } from '../../session/use-monitors.ts'
import { useRead } from '../../session/workspace.tsx'
import { FormSection } from './form-section.tsx'
import { type FormOf, filledFrom, idleFields } from './input.ts'
import { fieldGroups } from './layout.ts'
import { gistOf, outlookOf } from './outlook.ts'
import { Price } from './price.tsx'
import { PrivateTargetField, usePrivateTarget } from './private-target.tsx'
import { TrialResult } from '../monitor/trial.tsx'
import { type Editing, useEditing } from './use-editing.ts'
import { useSpoken } from './use-spoken.ts'
import { useTidyTargets } from './use-tidy-targets.ts'

/**
 * Creates a monitor or changes one: the same fields, each as its schema describes it. Beside them stands what they come
 * to, and what a check finds with them.
 */
export function MonitorForm({ of }: { of: FormOf }): ReactNode {
  const { kind, forms } = of
  const id = useId()
  const editing = useEditing(of)
  const { form, listeners, draft, shown, trial, save } = editing
  const { isOffered, onTyped, ...permission } = usePrivateTarget(of, { form, fields: shown.fields, trial })
  useTidyTargets(form, kind)
  const spoken = useSpoken(form, of)
  const options = spoken === null ? filledFrom(of)?.check_options : spoken.payload['check_options']
  const idle = idleFields(isRecord(options) ? options : {}, of)
  const state = useMemo(() => ({ fields: shown.fields, id }), [shown.fields, id])
  // React listens here, too: see `useFields` of the unsaved forms.
  const heard: Editing['listeners'] = {
    ...listeners,
    onInput: (event) => {
      listeners.onInput?.(event)
      onTyped()
    },
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void save()
  }
  return (
    <FormContext value={state}>
      <form
        ref={form}
        {...heard}
        onSubmit={submit}
        noValidate
        className="items-start gap-6 xl:grid xl:grid-cols-[minmax(0,1fr)_20rem]"
      >
        <div className="min-w-0">
          <Restored of={draft} className="mb-4">
            {fieldGroups(kind, forms).map((group) => (
              <FormSection
                key={group.name}
                group={group}
                of={of}
                idle={idle}
                gist={spoken && gistOf(group.name, spoken)}
              >
                {isOffered && <PrivateTargetField {...permission} />}
              </FormSection>
            ))}
          </Restored>
        </div>
        <Beside of={of} editing={editing} outlook={spoken === null ? [] : outlookOf(spoken)} />
      </form>
    </FormContext>
  )
}

type BesideProps = { of: FormOf; editing: Editing; outlook: readonly string[] }

/** What is going to happen, what a check finds now, and the way to save. */
function Beside({ of: { kind, forms, record }, editing, outlook }: BesideProps): ReactNode {
  const { shown, quote, trial, work, tryOnce } = editing
  return (
    <div className="min-w-0 xl:sticky xl:top-6 xl:max-h-[calc(100dvh-3rem)] xl:overflow-y-auto">
      <Section title={t`What will happen`}>
        <div className="flex flex-col gap-2 text-sm">
          {outlook.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
        <div className="mt-4 flex flex-wrap gap-2">
          <Button type="submit" look="primary" isBusy={work === 'save'}>
            {record === null ? t`Create the monitor` : t`Save`}
          </Button>
          {!forms.kinds[kind].isPassive && (
            <Button isBusy={work === 'try'} onClick={() => void tryOnce()}>
              <Trans>Check now</Trans>
            </Button>
          )}
        </div>
        {shown.message !== null && (
          <div className="mt-4">
            <Notice tone="bad">{shown.message}</Notice>
          </div>
        )}
        {trial !== null && (
          <div className="mt-4">
            <Tried trial={trial} />
          </div>
        )}
      </Section>
      <Price quote={quote} record={record} />
    </div>
  )
}

function Tried({ trial }: { trial: TrialRecord }): ReactNode {
  const monitors = useMonitors()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const place = locations.find(({ code }) => code === trial.location_code)?.name ?? trial.location_code
  return <TrialResult trial={trial} place={place} />
}
