import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type FormEvent, Fragment, type ReactNode, useId, useMemo } from 'react'
import type { TrialRecord } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { FormContext } from '../../parts/form.tsx'
import { Chevron } from '../../parts/icons.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useRead } from '../../session/workspace.tsx'
import { MonitorField } from './fields.tsx'
import { type FormOf, privateTarget } from './input.ts'
import { type FieldGroup, fieldGroups } from './layout.ts'
import { Price } from './price.tsx'
import { PrivateTargetField, usePrivateTarget } from './private-target.tsx'
import { TrialResult } from './trial.tsx'
import { useEditing } from './use-editing.ts'
import { useMonitors } from '../../session/use-monitors.ts'

/** Creates a monitor or changes one: the same fields, each as its schema describes it. */
export function MonitorForm({ of }: { of: FormOf }): ReactNode {
  const { kind, forms, record } = of
  const id = useId()
  const { form, listeners, shown, quote, trial, work, save, tryOnce } = useEditing(of)
  const { isOffered, ...permission } = usePrivateTarget(of, { form, fields: shown.fields, trial })
  const state = useMemo(() => ({ fields: shown.fields, id }), [shown.fields, id])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void save()
  }
  return (
    <FormContext value={state}>
      <form ref={form} {...listeners} onSubmit={submit} noValidate>
        {fieldGroups(kind, forms).map((group) => (
          <Group key={group.title} group={group} of={of}>
            {isOffered && <PrivateTargetField {...permission} />}
          </Group>
        ))}
        <Price quote={quote} record={record} />
        {shown.message !== null && (
          <div className="mb-4">
            <Notice tone="bad">{shown.message}</Notice>
          </div>
        )}
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="primary" isBusy={work === 'save'}>
              {record === null ? t`Create the monitor` : t`Save`}
            </Button>
            {!forms.kinds[kind].isPassive && (
              <Button isBusy={work === 'try'} onClick={() => void tryOnce()}>
                <Trans>Check now</Trans>
              </Button>
            )}
          </div>
          {trial !== null && <Tried trial={trial} />}
        </div>
      </form>
    </FormContext>
  )
}

function Tried({ trial }: { trial: TrialRecord }): ReactNode {
  const monitors = useMonitors()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const place = locations.find(({ code }) => code === trial.location_code)?.name ?? trial.location_code
  return <TrialResult trial={trial} place={place} />
}

type GroupProps = { group: FieldGroup; of: FormOf; children: ReactNode }

/** Fields that every monitor needs are open; the rest unfolds. `children` is the field of private targets. */
function Group({ group: { title, names }, of, children }: GroupProps): ReactNode {
  const fields = (
    <div className="flex max-w-xl flex-col gap-4">
      {names.map((name) =>
        name === privateTarget ? (
          <Fragment key={name}>{children}</Fragment>
        ) : (
          <MonitorField key={name} name={name} of={of} />
        ),
      )}
    </div>
  )
  if (title === null) return <Section title={t`What to check`}>{fields}</Section>
  return (
    <details className="group mb-4 rounded-xl border border-line bg-surface">
      <summary className="flex items-center justify-between px-5 py-3.5 font-semibold">
        {title}
        <span className="group-open:rotate-180">
          <Chevron />
        </span>
      </summary>
      <div className="px-5 pb-5">{fields}</div>
    </details>
  )
}
