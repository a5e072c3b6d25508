import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { PostForm, PostRecord, PostState, PostSubject } from '../../api/status-pages.ts'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { AreaField, SelectField, TextField } from '../../parts/form/field.tsx'
import type { Values } from '../../parts/form/form.tsx'
import { CheckField } from '../../parts/schema/fieldset.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { instantIn, localIn } from '../../parts/zone-time.ts'
import { ownZone } from '../../parts/form/zone-field.tsx'
import { useStatusPagesApi } from './page-api.ts'
import { postStateWords } from './page-words.ts'

type WriteProps = {
  title: string
  subject: PostSubject
  /** Null for what is new. */
  post: PostRecord | null
  onDone: () => Promise<void>
  onClose: () => void
}

const states: readonly PostState[] = ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem']

/** A post of an incident has a state, an announcement a title and perhaps an end. */
export function WritePost({ title, subject, post, onDone, onClose }: WriteProps): ReactNode {
  const api = useStatusPagesApi()
  const toast = useToast()
  const isAnnouncement = 'pageId' in subject
  const zone = ownZone()
  const submit = async (value: Values): Promise<void> => {
    const told = post === null ? { notify: value('notify') !== '' } : {}
    const form = { ...(isAnnouncement ? announcementOf(value) : updateOf(value)), ...told }
    await (post === null ? api.write(subject, form) : api.editPost(post.id, form))
    await onDone()
    toast(t`Readers see it within ten seconds.`)
  }
  return (
    <FormDialog title={title} submit={post === null ? t`Publish` : t`Save`} onSubmit={submit} onClose={onClose}>
      {isAnnouncement ? (
        <TextField name="title" label={t`Title`} defaultValue={post?.title ?? ''} autoComplete="off" />
      ) : (
        <SelectField
          name="state"
          label={t`Incident status`}
          defaultValue={post?.state ?? 'investigating'}
          options={states.map((value) => ({ value, label: i18n._(postStateWords[value]) }))}
        />
      )}
      <AreaField
        name="body"
        label={t`Text`}
        hint={t`Addresses become links.`}
        defaultValue={post?.body ?? ''}
        rows={5}
      />
      {isAnnouncement && (
        <TextField
          name="ends_at"
          label={t`On top until`}
          hint={t`In your time zone, ${zone}. Empty until you change or delete it.`}
          type="datetime-local"
          defaultValue={endOf(post)}
        />
      )}
      {post === null && <CheckField name="notify" label={t`Notify the subscribers`} defaultChecked />}
    </FormDialog>
  )
}

function endOf(post: PostRecord | null): string {
  const end = post?.ends_at ?? null
  return end === null ? '' : localIn(ownZone(), new Date(end))
}

function announcementOf(value: Values): PostForm {
  const end = value('ends_at')
  const endsAt = end === '' ? null : instantIn(ownZone(), end)
  return { title: value('title'), body: value('body'), ends_at: endsAt?.toISOString() ?? null }
}

function updateOf(value: Values): PostForm {
  const state = states.find((each) => each === value('state')) ?? 'investigating'
  return { state, body: value('body') }
}
