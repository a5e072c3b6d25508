import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, Suspense, useState } from 'react'
import type { IncidentStory } from '../../api/overview.ts'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { AreaField } from '../../parts/form/field.tsx'
import { CheckField } from '../../parts/schema/fieldset.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { useStatusPagesApi } from '../status-pages/page-api.ts'
import { draftOf } from './post-mortem-draft.ts'

/** Once an incident is over: its story, drafted from the timeline, for every status page with the monitor. */
export function PostMortem({ story }: { story: IncidentStory }): ReactNode {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button onClick={() => setAsked(true)}>
        <Trans>Write the post-mortem</Trans>
      </Button>
      {isAsked && (
        <Suspense>
          <Write story={story} onClose={() => setAsked(false)} />
        </Suspense>
      )}
    </>
  )
}

function Write({ story, onClose }: { story: IncidentStory; onClose: () => void }): ReactNode {
  const api = useStatusPagesApi()
  const changed = useChanged()
  const toast = useToast()
  const key = `posts of incident ${story.id}`
  const { data: posts } = useRead(key, { read: () => api.listPosts({ incidentId: story.id }) })
  return (
    <FormDialog
      title={t`Post-mortem`}
      submit={t`Publish`}
      draft={{ form: 'post-mortem', isNew: true }}
      onSubmit={async (value) => {
        const form = { state: 'postmortem' as const, body: value('body'), notify: value('notify') !== '' }
        await api.write({ incidentId: story.id }, form)
        await changed(key)
        onClose()
        toast(t`Readers see it within ten seconds.`)
      }}
      onClose={onClose}
      isRoomy
    >
      <AreaField
        name="body"
        label={t`Text`}
        hint={t`Readers of every status page with this monitor can see it. Headings, lists and **bold** of Markdown work.`}
        defaultValue={draftOf(story, posts)}
        rows={18}
        maxLength={5000}
      />
      <CheckField name="notify" label={t`Notify the subscribers`} defaultChecked={false} />
    </FormDialog>
  )
}
