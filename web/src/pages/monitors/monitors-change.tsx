import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import { ApiError } from '../../api/ask.ts'
import { type ManyContent, type MonitorsOutcome, overviewApi } from '../../api/overview.ts'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { CheckField } from '../../parts/schema/fieldset.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { usePolicies } from '../../session/use-escalation.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { type Progress, runAll } from './monitors-bulk-run.ts'
import { changeWords } from './monitors-bulk-words.ts'
import { type ChangePart, ChangeFields, partNames, readChanges } from './monitors-change-fields.tsx'
import { ProgressDialog } from './monitors-progress.tsx'
import type { MonitorRow } from './monitors-rows.ts'

type ChangeProps = {
  rows: readonly MonitorRow[]
  /** `left` are those that were not changed. */
  onClose: (left: readonly string[]) => void
  onCancel: () => void
}

/** One change for all that are selected. The form stays until something was changed, so that it can be corrected. */
export function MonitorsChange({ rows, onClose, onCancel }: ChangeProps): ReactNode {
  const toast = useToast()
  const { progress, begin, stop } = useRun(rows)
  const send = async (changes: ManyContent): Promise<void> => {
    const { done } = await begin(changes)
    if (done < rows.length) return
    toast(changeWords.done(rows.length))
    onClose([])
  }
  if (progress === null) return <ChangeForm count={rows.length} onSend={send} onClose={onCancel} />
  return <ProgressDialog {...{ rows, progress, onClose }} words={changeWords} onStop={stop} />
}

type Running = {
  /** Null until the first monitors were changed. */
  progress: Progress | null
  /** Throws what the service finds wrong with the change, of which nothing is made then. */
  begin: (changes: ManyContent) => Promise<Progress>
  stop: () => void
}

function useRun(rows: readonly MonitorRow[]): Running {
  const { workspace } = useWorkspace()
  const [progress, setProgress] = useState<Progress | null>(null)
  const stopping = useRef(new AbortController())
  const begin = async (changes: ManyContent): Promise<Progress> => {
    const refusals: ApiError[] = []
    const act = async (ids: readonly string[]): Promise<MonitorsOutcome> => {
      try {
        return await overviewApi(workspace.id).changeAll(changes, ids)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'validation_failed') refusals.push(ofForm(error))
        throw error
      }
    }
    const end = await runAll({ rows, act, signal: stopping.current.signal }, (next) => {
      if (next.done + next.failed.length > 0) setProgress(next)
    })
    const [refusal] = refusals
    if (refusal !== undefined) throw refusal
    setProgress(end)
    return end
  }
  return { progress, begin, stop: () => stopping.current.abort() }
}

type FormProps = { count: number; onSend: (changes: ManyContent) => Promise<void>; onClose: () => void }

function ChangeForm({ count, onSend, onClose }: FormProps): ReactNode {
  const hasPolicies = usePolicies().length > 0
  const [chosen, setChosen] = useState<readonly ChangePart[]>([])
  const choose = (part: ChangePart, isChosen: boolean): void =>
    setChosen(isChosen ? [...chosen, part] : chosen.filter((other) => other !== part))
  const send = async (sent: FormData): Promise<void> => {
    if (chosen.length === 0) throw nothingChosen()
    await onSend(readChanges(chosen, sent))
  }
  return (
    <FormDialog
      title={changeWords.ask(count)}
      submit={changeWords.many(count)}
      onSubmit={(_values, sent) => send(sent)}
      onClose={onClose}
    >
      <p className="text-sm text-muted">
        <Trans>What you do not choose stays as it is with each of them.</Trans>
      </p>
      {partNames({ hasPolicies }).map(({ part, name }) => (
        <div key={part}>
          <CheckField
            name={`chosen ${part}`}
            label={name}
            onChange={(event) => choose(part, event.currentTarget.checked)}
          />
          {chosen.includes(part) && (
            <div className="flex flex-col gap-4 border-l border-line pt-1 pb-2 pl-4">
              <ChangeFields part={part} />
            </div>
          )}
        </div>
      ))}
    </FormDialog>
  )
}

function nothingChosen(): ApiError {
  return new ApiError({ status: 422, code: 'validation_failed', message: t`Choose what to change.` })
}

/** The service names a field as a member of the changes, the form by itself. */
function ofForm({ status, code, message, fields, headers }: ApiError): ApiError {
  const named = Object.entries(fields).map(([name, problems]) => [name.replace(/^changes\./, ''), problems] as const)
  return new ApiError({ status, code, message, fields: Object.fromEntries(named), headers })
}
