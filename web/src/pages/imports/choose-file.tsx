import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type DragEvent, type ReactNode, useState } from 'react'
import { ApiError } from '../../api/ask.ts'
import type { ChosenFile, ImportReport } from '../../api/imports.ts'
import { described, SelectField, TextField, Words } from '../../parts/form/field.tsx'
import { Form, useField } from '../../parts/form/form.tsx'
import { Section } from '../../parts/page.tsx'
import { fileClass } from '../../parts/schema/fieldset.tsx'
import { sourceOptions } from './sources.ts'
import { useImportsApi } from './use-imports.ts'

export type ReadFile = { chosen: ChosenFile; report: ImportReport }

/** The service takes no larger database. */
const maxBytes = 64 * 1024 * 1024

/** One file, chosen or dropped. It is read by the service, and nothing is made. */
export function ChooseFile({ onRead }: { onRead: (read: ReadFile) => void }): ReactNode {
  const api = useImportsApi()
  const [file, setFile] = useState<File | null>(null)
  const [source, setSource] = useState('')
  const read = async (pingKey: string): Promise<void> => {
    if (file === null) throw refused(t`Choose a file first.`)
    if (file.size > maxBytes) throw refused(t`It is larger than 64 MB. The command perigee import reads larger files.`)
    const chosen = { file, source, pingKey }
    onRead({ chosen, report: await api.read(chosen) })
  }
  return (
    <Section
      title={t`File from the other tool`}
      lead={t`Uptime Kuma, Gatus, Healthchecks, UptimeRobot, blackbox_exporter, a recording of a browser (HAR), Postman, OpenAPI, a list of addresses or a sitemap. First you see what will be imported. Nothing is created before you confirm.`}
    >
      <Form submit={t`Read the file`} unsaved={false} isRoomy onSubmit={(value) => read(value('ping_key'))}>
        <FileField file={file} onFile={setFile} />
        <SelectField name="source" label={t`Where it comes from`} options={sourceOptions()} onChange={setSource} />
        {source === 'healthchecks' && (
          <TextField
            name="ping_key"
            label={t`Ping key (optional)`}
            hint={t`Of the project, if its jobs use slugs in their calls.`}
            autoComplete="off"
          />
        )}
      </Form>
    </Section>
  )
}

function refused(problem: string): ApiError {
  return new ApiError({ status: 422, code: 'validation_failed', message: problem, fields: { file: [problem] } })
}

function FileField({ file, onFile }: { file: File | null; onFile: (file: File | null) => void }): ReactNode {
  const { id, problem } = useField('file')
  const [isOver, setOver] = useState(false)
  const hint = t`For Uptime Kuma kuma.db, for Gatus its YAML. You can also drop the file here.`
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [dropped] = event.dataTransfer.files
    if (dropped !== undefined) onFile(dropped)
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex flex-col gap-2 rounded-xl border border-dashed px-5 py-6 ${isOver ? 'border-accent-text bg-accent-soft' : 'border-edge/60'}`}
    >
      <label htmlFor={id} className="text-sm font-medium">
        <Trans>File</Trans>
      </label>
      <input
        {...described({ id, hint, problem })}
        id={id}
        name="file"
        type="file"
        onChange={({ currentTarget }) => onFile(currentTarget.files?.[0] ?? null)}
        className={fileClass}
      />
      {file !== null && (
        <p role="status" className="text-sm font-medium wrap-anywhere">
          {file.name}
        </p>
      )}
      <Words {...{ id, hint, problem }} />
    </div>
  )
}
