import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useMemo, useState } from 'react'
import { type CommentRecord, type IncidentApi, incidentApi } from '../../api/incidents.ts'
import { Button } from '../../parts/button.tsx'
import { DeleteDialog, FormDialog } from '../../parts/overlays/dialog.tsx'
import { AreaField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useChanged, useRead, useWorkspace } from '../../session/workspace.tsx'

const readAgainMs = 15_000

export function useIncidentApi(): IncidentApi {
  const { workspace } = useWorkspace()
  return useMemo(() => incidentApi(workspace.id), [workspace.id])
}

type Asked = { what: 'edit' | 'delete'; comment: CommentRecord }

/** What members tell each other about an incident; no page that others read shows it. */
export function Comments({ incidentId }: { incidentId: string }): ReactNode {
  const api = useIncidentApi()
  const changed = useChanged()
  const mayWrite = useMayWrite()
  const key = `comments of ${incidentId}`
  const { data: comments } = useRead(key, { read: () => api.listComments(incidentId), everyMs: readAgainMs })
  const [asked, setAsked] = useState<Asked | null>(null)
  const [sentCount, setSentCount] = useState(0)
  const close = (): void => setAsked(null)
  const onDone = async (): Promise<void> => {
    await changed(key)
    close()
  }
  return (
    <Section title={t`Comments`} lead={t`For the members of this workspace. Status pages never show them.`}>
      {comments.length > 0 && (
        <ol aria-label={t`Comments`} className="mb-4 divide-y divide-line">
          {comments.map((comment) => (
            <Comment key={comment.id} comment={comment} onAsk={mayWrite && comment.is_own ? setAsked : null} />
          ))}
        </ol>
      )}
      {mayWrite && (
        // Another one begins with an empty field.
        <Form
          key={sentCount}
          submit={t`Comment`}
          draft={{ form: 'comment', isNew: true }}
          onSubmit={async (value) => {
            await api.addComment(incidentId, value('body'))
            await changed(key)
          }}
          onSent={() => setSentCount(sentCount + 1)}
        >
          <AreaField name="body" label={t`Your comment`} hint={t`Markdown.`} rows={3} maxLength={4000} />
        </Form>
      )}
      {asked?.what === 'edit' && (
        <Edit incidentId={incidentId} comment={asked.comment} onDone={onDone} onClose={close} />
      )}
      {asked?.what === 'delete' && (
        <Remove incidentId={incidentId} comment={asked.comment} onDone={onDone} onClose={close} />
      )}
    </Section>
  )
}

type CommentProps = { comment: CommentRecord; onAsk: ((asked: Asked) => void) | null }

function Comment({ comment, onAsk }: CommentProps): ReactNode {
  const { author, body, created_at: at, edited_at: editedAt } = comment
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3 first:pt-0">
      <div className="min-w-0 grow basis-60 wrap-anywhere">
        <p className="mb-1 text-sm">
          <span className="font-medium">{author}</span>
          <span className="text-muted">
            {' · '}
            <Time at={at} />
            {editedAt !== null && (
              <>
                , <Trans>edited</Trans>
              </>
            )}
          </span>
        </p>
        <Markdown text={body} />
      </div>
      {onAsk !== null && (
        <div className="flex gap-2">
          <Button look="quiet" aria-label={t`Change your comment`} onClick={() => onAsk({ what: 'edit', comment })}>
            <Trans>Change</Trans>
          </Button>
          <Button look="quiet" aria-label={t`Delete your comment`} onClick={() => onAsk({ what: 'delete', comment })}>
            <Trans>Delete</Trans>
          </Button>
        </div>
      )}
    </li>
  )
}

type DialogProps = { incidentId: string; comment: CommentRecord; onDone: () => Promise<void>; onClose: () => void }

function Edit({ incidentId, comment: { id, body }, onDone, onClose }: DialogProps): ReactNode {
  const api = useIncidentApi()
  return (
    <FormDialog
      title={t`Change your comment`}
      submit={t`Save`}
      draft={{ form: `comment ${id}`, isNew: false }}
      onSubmit={async (value) => {
        await api.changeComment(incidentId, id, value('body'))
        await onDone()
      }}
      onClose={onClose}
    >
      <AreaField name="body" label={t`Your comment`} defaultValue={body} rows={6} maxLength={4000} />
    </FormDialog>
  )
}

function Remove({ incidentId, comment: { id }, onDone, onClose }: DialogProps): ReactNode {
  const api = useIncidentApi()
  return (
    <DeleteDialog
      title={t`Delete your comment?`}
      onSubmit={async () => {
        await api.removeComment(incidentId, id)
        await onDone()
      }}
      onClose={onClose}
    >
      <p className="text-muted">
        <Trans>It is deleted permanently.</Trans>
      </p>
    </DeleteDialog>
  )
}
