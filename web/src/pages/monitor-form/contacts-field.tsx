import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { MonitorRecord } from '../../api/monitors.ts'
import { SelectField } from '../../parts/form/field.tsx'
import { Empty } from '../../parts/list.tsx'
import { CheckField, Fieldset, inputClass } from '../../parts/schema/fieldset.tsx'
import { TagsField } from '../../parts/form/tags-field.tsx'
import { usePolicies } from '../../session/use-escalation.ts'
import { useMonitors } from '../../session/use-monitors.ts'
import { useRead } from '../../session/workspace.tsx'
import { type Audience, type FormOf, audienceName, filledFrom } from './input.ts'

const audiences: readonly { value: Audience; label: MessageDescriptor }[] = [
  { value: 'keep', label: msg`The same contacts as now` },
  { value: 'all', label: msg`All contacts, including later ones` },
  { value: 'some', label: msg`Only these contacts` },
  { value: 'tagged', label: msg`Contacts with a tag, and chosen ones` },
  { value: 'none', label: msg`No one` },
]

export function Contacts({ name, of }: { name: string; of: FormOf }): ReactNode {
  const { record } = of
  const filled = filledFrom(of)
  const monitors = useMonitors()
  const { data: contacts } = useRead('contacts', { read: () => monitors.listContacts() })
  const [audience, setAudience] = useState<Audience>(record === null ? audienceOf(filled, contacts.length) : 'keep')
  const held = new Set(filled?.alert_channel_ids)
  const offered = audiences.filter(({ value }) => record !== null || value !== 'keep')
  return (
    <Fieldset name={name} legend={t`Alerts go to`}>
      <select
        aria-label={t`Alerts go to`}
        name={audienceName(name)}
        value={audience}
        onChange={({ target }) => setAudience(offered.find(({ value }) => value === target.value)?.value ?? 'all')}
        className={inputClass}
      >
        {offered.map(({ value, label }) => (
          <option key={value} value={value}>
            {i18n._(label)}
          </option>
        ))}
      </select>
      {audience === 'tagged' && (
        <TagsField
          name="alert_channel_tags"
          label={t`Contacts with a tag`}
          held={filled?.alert_channel_tags ?? []}
          hint={t`Separated by commas. Contacts that get such a tag later are alerted too.`}
        />
      )}
      {audience === 'some' && contacts.length === 0 && (
        <Empty>
          <Trans>The workspace has no contacts yet.</Trans>
        </Empty>
      )}
      {(audience === 'some' || audience === 'tagged') &&
        contacts.map(({ id, name: words, destination }) => (
          <CheckField
            key={id}
            name={name}
            value={id}
            label={`${words} (${destination})`}
            defaultChecked={held.has(id)}
          />
        ))}
    </Fieldset>
  )
}

/** What a monitor shows does not tell apart all contacts and each of them by name: a copy alerts all, later ones too. */
function audienceOf(copied: MonitorRecord | null, contacts: number): Audience {
  if (copied === null) return 'all'
  const { alert_channel_ids: ids, alert_channel_tags: tags } = copied
  if (tags.length > 0) return 'tagged'
  if (ids.length === 0) return 'none'
  return ids.length === contacts ? 'all' : 'some'
}

/** By which policy its outages are told; nothing to choose where there is none. */
export function Policy({ held }: { held: string | null }): ReactNode {
  const policies = usePolicies()
  if (policies.length === 0) return null
  const usual = policies.find(({ is_default: isDefault }) => isDefault)?.name
  const isTagged = policies.some(({ tags }) => tags.length > 0)
  const none = usual === undefined ? t`None: all at once` : t`The default: ${usual}`
  return (
    <SelectField
      name="escalation_policy_id"
      label={t`Escalation policy`}
      hint={t`It alerts one step after the other. Contacts that the monitor names are alerted at once.`}
      defaultValue={held ?? ''}
      options={[
        { value: '', label: isTagged ? t`By its tags, or the default` : none },
        ...policies.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}
