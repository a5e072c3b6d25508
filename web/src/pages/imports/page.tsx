import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { ListedImport } from '../../api/imports.ts'
import { Button } from '../../parts/button.tsx'
import { Row, Rows } from '../../parts/list.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { useRead, useWorkspace } from '../../session/workspace.tsx'
import { ChooseFile, type ReadFile } from './choose-file.tsx'
import { Report } from './report.tsx'
import { Import } from './running.tsx'
import { sourceName } from './sources.ts'
import { importsKey, useImportsApi } from './use-imports.ts'

/** What other tools watch comes along from their files. */
export function ImportPage(): ReactNode {
  const { workspace } = useWorkspace()
  const lead = t`Bring over what another tool watches, without typing it again.`
  return (
    <>
      <PageHead title={t`Move in from another tool`} lead={lead} />
      {workspace.role === 'viewer' ? (
        <Notice>
          <Trans>Only members of this workspace can import files.</Trans>
        </Notice>
      ) : (
        <Moving key={workspace.id} />
      )}
    </>
  )
}

type Shown = { id: string; isBegun: boolean }

function Moving(): ReactNode {
  const api = useImportsApi()
  const { data: imports } = useRead(importsKey, { read: () => api.list() })
  const [read, setRead] = useState<ReadFile | null>(null)
  // One that is under way when the page comes stays there when it is over.
  const [shown, setShown] = useState<Shown | null>(() => {
    const open = imports.find(({ state }) => state === 'open' || state === 'undoing')
    return open === undefined ? null : { id: open.id, isBegun: false }
  })
  const begin = (id: string): void => {
    setRead(null)
    setShown({ id, isBegun: true })
  }
  return (
    <>
      {shown !== null ? (
        <Import key={shown.id} {...shown} onClose={() => setShown(null)} />
      ) : read === null ? (
        <ChooseFile onRead={setRead} />
      ) : (
        <Report read={read} onStarted={begin} onOther={() => setRead(null)} />
      )}
      <Past imports={imports.filter(({ id }) => id !== shown?.id)} onShow={(id) => setShown({ id, isBegun: false })} />
    </>
  )
}

type PastProps = { imports: readonly ListedImport[]; onShow: (id: string) => void }

function Past({ imports, onShow }: PastProps): ReactNode {
  if (imports.length === 0) return null
  const title = t`Earlier imports`
  return (
    <Section title={title} lead={t`Each can be undone as a whole, for 90 days.`}>
      <Rows label={title}>
        {imports.map((each) => {
          const { id, file_name: name, source, created_at: at } = each
          return (
            <Row
              key={id}
              title={name}
              details={
                <>
                  {sourceName(source)} · <Time at={at} /> · {countsText(each)}
                </>
              }
              action={
                <Button aria-label={t`Show ${name}`} onClick={() => onShow(id)}>
                  <Trans>Show</Trans>
                </Button>
              }
            />
          )
        })}
      </Rows>
    </Section>
  )
}

function countsText({ made, removed, kept, state }: ListedImport): string {
  return state === 'undone'
    ? plural(removed, { one: '# deleted', other: '# deleted' })
    : plural(made + kept, { one: '# created', other: '# created' })
}
