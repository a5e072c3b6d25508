import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ImportRecord } from '../../api/imports.ts'
import { Arrival } from '../../parts/arrival.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Bar } from '../../parts/progress.tsx'
import { useRead } from '../../session/workspace.tsx'
import { sourceName } from './sources.ts'
import { type Run, useImportRun } from './use-import-run.ts'
import { importKey, useImportsApi } from './use-imports.ts'

type ImportProps = { id: string; isBegun: boolean; onClose: () => void }

/** One import: how far it is, what could not be created, and how it is undone. */
export function Import({ id, isBegun, onClose }: ImportProps): ReactNode {
  const api = useImportsApi()
  const { data } = useRead(importKey(id), { read: () => api.get(id) })
  const run = useImportRun(data)
  const { record, isRunning } = run
  const { goOn } = run
  const wasBegun = useRef(false)
  useEffect(() => {
    if (isBegun && !wasBegun.current) void goOn(false)
    wasBegun.current = true
  }, [isBegun, goOn])
  const name = record.file_name
  const source = sourceName(record.source)
  return (
    <Arrival>
      <Section title={titleOf(record, name)} lead={t`${source}, started by ${record.started_by}.`}>
        <div className="flex flex-col gap-4">
          <Standing run={run} />
          <Told record={record} />
          <Buttons run={run} onClose={onClose} isRunning={isRunning} />
        </div>
      </Section>
    </Arrival>
  )
}

function titleOf({ state }: ImportRecord, name: string): string {
  switch (state) {
    case 'open':
      return t`Importing ${name}`
    case 'done':
      return t`${name} is imported`
    case 'undoing':
      return t`Undoing the import of ${name}`
    case 'undone':
      return t`The import of ${name} is undone`
  }
}

function Standing({ run: { record, isRunning, isWaiting, trouble } }: { run: Run }): ReactNode {
  const { made, present, failed, waiting, leaving, removed, kept } = record
  const isUndoing = record.state === 'undoing' || record.state === 'undone'
  const all = isUndoing ? leaving + removed + kept : made + present + failed + waiting
  const left = isUndoing ? leaving : waiting
  return (
    <div className="flex flex-col gap-2">
      {left > 0 && <Bar label={isUndoing ? t`Undone` : t`Imported`} value={all - left} max={all} />}
      <p role="status" className="tabular-nums">
        {isUndoing ? undoneText(record) : doneText(record)}
        {isWaiting && (
          <span className="text-muted">
            {' '}
            <Trans>More changes than a minute allows: it continues in a moment.</Trans>
          </span>
        )}
      </p>
      {left > 0 && isRunning && (
        <p className="text-sm text-muted">
          <Trans>You can close this page. It continues where it stopped when you come back.</Trans>
        </p>
      )}
      {trouble !== null && <Notice tone="bad">{trouble}</Notice>}
    </div>
  )
}

function doneText({ made, present, failed, waiting }: ImportRecord): string {
  return [
    plural(made, { one: '# created', other: '# created' }),
    ...(present > 0 ? [plural(present, { one: '# existed already', other: '# existed already' })] : []),
    ...(failed > 0 ? [plural(failed, { one: '# could not be created', other: '# could not be created' })] : []),
    ...(waiting > 0 ? [plural(waiting, { one: '# to go', other: '# to go' })] : []),
  ].join(' · ')
}

function undoneText({ removed, kept, leaving }: ImportRecord): string {
  return [
    plural(removed, { one: '# removed', other: '# removed' }),
    ...(kept > 0 ? [plural(kept, { one: '# stays', other: '# stay' })] : []),
    ...(leaving > 0 ? [plural(leaving, { one: '# to go', other: '# to go' })] : []),
  ].join(' · ')
}

function Told({ record: { told } }: { record: ImportRecord }): ReactNode {
  if (told.length === 0) return null
  const title = t`What needs your attention`
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="font-medium">{title}</h3>
      <ul aria-label={title} className="flex flex-col gap-2 text-sm">
        {told.map(({ section, key, name, problem }) => (
          <li key={`${section} ${key}`} className="wrap-anywhere">
            <span className="font-medium">{name}</span>
            <span className="block text-muted">{problem}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type ButtonsProps = { run: Run; isRunning: boolean; onClose: () => void }

function Buttons({ run, isRunning, onClose }: ButtonsProps): ReactNode {
  const { record, goOn, takeBack, stop } = run
  const { state, failed } = record
  const [isAsking, setAsking] = useState(false)
  if (isRunning)
    return (
      <Line>
        <Button onClick={stop}>
          <Trans>Stop here</Trans>
        </Button>
      </Line>
    )
  return (
    <Line>
      {state === 'open' && (
        <Button look="primary" onClick={() => void goOn(false)}>
          <Trans>Continue</Trans>
        </Button>
      )}
      {state === 'done' && (
        <ButtonLink to="/monitors" look="primary">
          <Trans>See the monitors</Trans>
        </ButtonLink>
      )}
      {state === 'done' && failed > 0 && (
        <Button onClick={() => void goOn(true)}>
          <Trans>Try the rest again</Trans>
        </Button>
      )}
      {state === 'undoing' && (
        <Button look="primary" onClick={() => void takeBack()}>
          <Trans>Continue undoing it</Trans>
        </Button>
      )}
      {(state === 'open' || state === 'done') && (
        <Button look="danger" onClick={() => setAsking(true)}>
          <Trans>Undo the import …</Trans>
        </Button>
      )}
      {(state === 'done' || state === 'undone') && (
        <Button look="quiet" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      )}
      {isAsking && <AskUndo record={record} onClose={() => setAsking(false)} onUndo={() => void takeBack()} />}
    </Line>
  )
}

function Line({ children }: { children: ReactNode }): ReactNode {
  return <div className="flex flex-wrap gap-2">{children}</div>
}

type AskProps = { record: ImportRecord; onClose: () => void; onUndo: () => void }

function AskUndo({ record, onClose, onUndo }: AskProps): ReactNode {
  const name = record.file_name
  const submit = async (): Promise<void> => {
    onClose()
    onUndo()
  }
  return (
    <FormDialog
      title={t`Undo the import of ${name}?`}
      submit={t`Undo the import`}
      look="danger"
      onSubmit={submit}
      onClose={onClose}
      unsaved={false}
    >
      <p>
        <Trans>
          What it created is deleted, with its results. What was changed since then stays, with what it needs, and so
          does everything that existed before.
        </Trans>
      </p>
    </FormDialog>
  )
}
