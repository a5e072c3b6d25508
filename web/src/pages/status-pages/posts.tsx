import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { PostRecord, PostSubject } from '../../api/status-pages.ts'
import { Button } from '../../parts/button.tsx'
import { DeleteDialog } from '../../parts/overlays/dialog.tsx'
import { Empty } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useStatusPagesApi } from './page-api.ts'
import { WritePost } from './write-post.tsx'
import { postStateWords } from './page-words.ts'

/** Posts about an incident: they stand on every status page that shows the monitor. */
export function IncidentPosts({ incidentId }: { incidentId: string }): ReactNode {
  return (
    <Posts
      subject={{ incidentId }}
      words={{
        title: t`Updates on status pages`,
        lead: t`Readers of every status page with this monitor see it. It does not change the incident itself.`,
        write: t`Write an update`,
        none: t`Nothing was written about it.`,
      }}
    />
  )
}

/** Posts of a page that belong to no incident. */
export function Announcements({ pageId }: { pageId: string }): ReactNode {
  return (
    <Posts
      subject={{ pageId }}
      words={{
        title: t`Announcements`,
        lead: t`They are at the top of the page until they end, and then in its history.`,
        write: t`Announce something`,
        none: t({ message: 'There is none yet.', context: 'announcement' }),
      }}
    />
  )
}

type Words = { title: string; lead: string; write: string; none: string }
type Asked = { what: 'write' } | { what: 'edit' | 'delete'; post: PostRecord }

function Posts({ subject, words }: { subject: PostSubject; words: Words }): ReactNode {
  const api = useStatusPagesApi()
  const changed = useChanged()
  const mayWrite = useMayWrite()
  const key = 'pageId' in subject ? `posts of page ${subject.pageId}` : `posts of incident ${subject.incidentId}`
  const { data: posts } = useRead(key, { read: () => api.listPosts(subject) })
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const onDone = async (): Promise<void> => {
    await changed(key)
    close()
  }
  return (
    <Section
      title={words.title}
      lead={words.lead}
      action={mayWrite && <Button onClick={() => setAsked({ what: 'write' })}>{words.write}</Button>}
    >
      {posts.length === 0 && <Empty>{words.none}</Empty>}
      {posts.length > 0 && (
        <ol aria-label={words.title} className="-my-3 divide-y divide-line">
          {posts.map((post) => (
            <Post key={post.id} post={post} onAsk={mayWrite ? setAsked : null} />
          ))}
        </ol>
      )}
      {asked?.what === 'write' && (
        <WritePost title={words.write} subject={subject} post={null} onDone={onDone} onClose={close} />
      )}
      {asked?.what === 'edit' && (
        <WritePost title={t`Change it`} subject={subject} post={asked.post} onDone={onDone} onClose={close} />
      )}
      {asked?.what === 'delete' && <Delete post={asked.post} onDone={onDone} onClose={close} />}
    </Section>
  )
}

type PostProps = { post: PostRecord; onAsk: ((asked: Asked) => void) | null }

function Post({ post, onAsk }: PostProps): ReactNode {
  const { state, title, body, author, posted_at: postedAt, ends_at: endsAt, edited_at: editedAt } = post
  const name = title ?? (state === null ? '' : i18n._(postStateWords[state]))
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 grow basis-60 wrap-anywhere">
        <p className="font-medium">{name}</p>
        <p className="text-sm whitespace-pre-line">{body}</p>
        <p className="text-xs text-muted">
          <Trans>
            <Time at={postedAt} /> by {author}
          </Trans>
          {editedAt !== null && (
            <>
              , <Trans>edited</Trans>
            </>
          )}
          {endsAt !== null && (
            <>
              ,{' '}
              <Trans>
                on top until <Time at={endsAt} />
              </Trans>
            </>
          )}
        </p>
      </div>
      {onAsk !== null && (
        <div className="flex gap-2">
          <Button aria-label={t`Change ${name}`} onClick={() => onAsk({ what: 'edit', post })}>
            <Trans>Change</Trans>
          </Button>
          <Button look="danger" aria-label={t`Delete ${name}`} onClick={() => onAsk({ what: 'delete', post })}>
            <Trans>Delete</Trans>
          </Button>
        </div>
      )}
    </li>
  )
}

type DeleteProps = { post: PostRecord; onDone: () => Promise<void>; onClose: () => void }

function Delete({ post, onDone, onClose }: DeleteProps): ReactNode {
  const api = useStatusPagesApi()
  const toast = useToast()
  const submit = async (): Promise<void> => {
    await api.removePost(post.id)
    await onDone()
    toast(t`It is deleted.`)
  }
  return (
    <DeleteDialog title={t`Delete it?`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>It leaves status pages within ten seconds. Messages that were already sent about it stay.</Trans>
      </p>
    </DeleteDialog>
  )
}
