import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId, useState } from 'react'
import type { PictureKind, StatusPageRecord } from '../../api/status-pages.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { Section } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import { useToast } from '../../parts/overlays/toast.tsx'
import { fileClass } from '../../parts/schema/fieldset.tsx'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { statusPageKey, statusPagesKey, useStatusPagesApi } from './page-api.ts'

/** Beside the form of the page, because they are kept as soon as they are chosen. */
export function PageImages({ page }: { page: StatusPageRecord }): ReactNode {
  const api = useStatusPagesApi()
  const { data: pictures } = useRead(picturesKey(page.id), { read: () => api.readPictures(page.id) })
  return (
    <Section
      title={t`Logo and icon`}
      lead={t`PNG, JPEG or WebP files of at most 200 KB. They are on the page as soon as you choose them.`}
    >
      <div className="grid gap-6 sm:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-3">
          <Picture page={page} kind="logo" shown={pictures.logo} />
          {pictures.logo !== null && <AltForm key={pictures.logo} page={page} shown={pictures.logo} />}
        </div>
        <Picture page={page} kind="favicon" shown={pictures.favicon} />
      </div>
    </Section>
  )
}

function picturesKey(id: string): string {
  return `status-page-pictures ${id}`
}

/** Has everything read again that shows a picture of the page. */
function usePictureChanged(id: string): () => Promise<void> {
  const changed = useChanged()
  return () => changed(statusPagesKey, statusPageKey(id), picturesKey(id), `status-page-preview ${id}`)
}

const words = {
  logo: {
    name: () => t`Logo`,
    hint: () => t`Beside the title. 16 to 2,000 pixels wide and high; choose one that works on light and dark.`,
    none: () => t`No logo`,
    alt: () => t`The logo of the page`,
  },
  favicon: {
    name: () => t`Icon`,
    hint: () => t`In the browser tab, instead of the state. Square, 16 to 512 pixels.`,
    none: () => t`The icon shows the state`,
    alt: () => t`The icon of the page`,
  },
} as const

type PictureProps = { page: StatusPageRecord; kind: PictureKind; shown: string | null }

function Picture({ page, kind, shown }: PictureProps): ReactNode {
  const id = useId()
  const { isBusy, problem, choose, remove } = usePicture(page, kind)
  const name = words[kind].name()
  return (
    <div role="group" aria-label={name} className="flex min-w-0 flex-col gap-2">
      <p className="text-sm font-medium">{name}</p>
      <div className="flex min-h-20 items-center justify-center rounded-lg border border-line bg-sunken p-3">
        {shown === null ? (
          <p className="text-sm text-muted">{words[kind].none()}</p>
        ) : (
          <img src={shown} alt={words[kind].alt()} className="max-h-14 max-w-full" />
        )}
      </div>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {words[kind].hint()}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <input
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-label={t`Choose a file: ${name}`}
          aria-describedby={`${id}-hint ${id}-problem`}
          aria-invalid={problem !== null}
          disabled={isBusy}
          onChange={(event) => void choose(event.currentTarget)}
          className={fileClass}
        />
        {shown !== null && (
          <Button look="quiet" isBusy={isBusy} aria-label={t`Remove: ${name}`} onClick={() => void remove()}>
            <Trans>Remove</Trans>
          </Button>
        )}
      </div>
      <p id={`${id}-problem`} role="alert" className="text-sm text-bad empty:hidden">
        {problem}
      </p>
    </div>
  )
}

type PictureWork = {
  isBusy: boolean
  problem: string | null
  choose: (input: HTMLInputElement) => Promise<void>
  remove: () => Promise<void>
}

function usePicture(page: StatusPageRecord, kind: PictureKind): PictureWork {
  const api = useStatusPagesApi()
  const changed = usePictureChanged(page.id)
  const toast = useToast()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const name = words[kind].name()
  const change = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
      await changed()
      toast(done)
    } catch (error) {
      const found = problemOf(error)
      setProblem(found.fields['image']?.join(' ') ?? found.message)
    } finally {
      setBusy(false)
    }
  }
  const choose = async (input: HTMLInputElement): Promise<void> => {
    const [file] = input.files ?? []
    if (file === undefined) return
    const tooLarge = sizeProblem(file)
    setProblem(tooLarge)
    if (tooLarge === null) {
      const alt = kind === 'logo' ? { alt: page.logo?.alt ?? '' } : {}
      const send = async (): Promise<unknown> => api.putPicture(page.id, kind, { image: await encodedOf(file), ...alt })
      await change(send, t`${name} is saved. Readers see it within ten seconds.`)
    }
    // The same file may be chosen again.
    input.value = ''
  }
  const remove = (): Promise<void> => change(() => api.removePicture(page.id, kind), t`${name} is removed.`)
  return { isBusy, problem, choose, remove }
}

function AltForm({ page, shown }: { page: StatusPageRecord; shown: string }): ReactNode {
  const api = useStatusPagesApi()
  const changed = usePictureChanged(page.id)
  const toast = useToast()
  const submit = async (value: Values): Promise<void> => {
    await api.putPicture(page.id, 'logo', { image: contentOf(shown), alt: value('alt') })
    await changed()
    toast(t`The text of the logo is saved.`)
  }
  return (
    <Form submit={t`Save the text`} look="secondary" onSubmit={submit} isFull>
      <TextField
        name="alt"
        label={t`What the logo shows`}
        hint={t`For readers who cannot see it. Leave it empty if the title already says it.`}
        defaultValue={page.logo?.alt ?? ''}
        maxLength={160}
        autoComplete="off"
      />
    </Form>
  )
}

const mostBytes = 200 * 1024

function sizeProblem({ size }: File): string | null {
  if (size <= mostBytes) return null
  const kilobytes = Math.ceil(size / 1024)
  return t`This file has ${kilobytes} KB. At most 200 KB are accepted.`
}

function encodedOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? contentOf(reader.result) : ''))
    reader.addEventListener('error', () => reject(new Error(t`The file could not be read.`)))
    reader.readAsDataURL(file)
  })
}

/** Of a data: address. */
function contentOf(address: string): string {
  return address.slice(address.indexOf(',') + 1)
}
