import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { StatusPageForm as Input, StatusPageRecord } from '../../api/status-pages.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { isText, oneOf, recordOf } from '../../parts/drafts/draft-shape.ts'
import { AreaField, PasswordField, TextField } from '../../parts/form/field.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { listed } from '../../parts/language.ts'
import { FormCard, FormPart, Section } from '../../parts/page.tsx'
import { Fieldset } from '../../parts/schema/fieldset.tsx'
import { TagsField, readTags } from '../../parts/form/tags-field.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useUnsaved } from '../../parts/form/use-unsaved.ts'
import { useChanged } from '../../session/workspace.tsx'
import { AddressField, DomainField } from './page-address.tsx'
import { BesideDraft } from './page-draft.tsx'
import { statusPageKey, statusPagesKey, useStatusPagesApi } from './page-api.ts'
import { type Group, areGroups, groupsOf, sectionsOf, withGroup } from './page-groups.ts'
import { PageLayout } from './page-layout.tsx'
import { PageImages } from './page-images.tsx'
import { LookFields, looksOf } from './page-looks.tsx'
import { useDraft } from './page-typed.ts'
import { visibilityWords } from './page-words.ts'

type Choice<T extends string> = readonly { value: T; label: MessageDescriptor; hint?: MessageDescriptor }[]

const visibilities: Choice<StatusPageRecord['visibility']> = [
  { value: 'public', label: msg({ message: 'Everyone', context: 'who can read a status page' }) },
  { value: 'password', label: msg`Anyone with a password` },
  { value: 'draft', label: msg`No one yet`, hint: msg`It stays a draft without a public address.` },
]

type FormProps = {
  /** Null for what is new. */
  page: StatusPageRecord | null
  /** Told whether the form says something else than what is saved. */
  onEdited?: (isEdited: boolean) => void
}

/** What the form holds beside its fields, and how it is put back. */
function useHeld(page: StatusPageRecord | null) {
  const [slug, setSlug] = useState(page?.slug ?? '')
  const [visibility, setVisibility] = useState(page?.visibility ?? 'public')
  const [groups, setGroups] = useState<Group[]>(() => (page === null ? withGroup([]) : groupsOf(page.sections)))
  const [accent, setAccent] = useState(page?.accent ?? '')
  const restore = (kept: unknown): void => {
    if (!isHeld(kept)) return
    setSlug(kept.slug)
    setVisibility(kept.visibility)
    setGroups([...kept.groups])
    setAccent(kept.accent)
  }
  const set = { slug: setSlug, visibility: setVisibility, groups: setGroups, accent: setAccent }
  return { held: { slug, visibility, groups, accent }, set, restore }
}

export function StatusPageForm({ page, onEdited }: FormProps): ReactNode {
  const api = useStatusPagesApi()
  const changed = useChanged()
  const router = useRouter()
  const toast = useToast()
  const { held, set, restore } = useHeld(page)
  const { groups, accent } = held
  // The other tabs of a page are at its own address.
  const staysAt = (pathname: string): boolean => page !== null && pathname === `/status-pages/${page.id}`
  const draftOf = { form: 'status page', isNew: page === null, restore }
  const unsaved = useUnsaved({ held, staysAt, draft: draftOf })
  const { isChanged } = unsaved
  useEffect(() => onEdited?.(isChanged), [isChanged, onEdited])
  const submit = async (value: Values, sent: FormData): Promise<void> => {
    const tags = { tags: readTags(sent), monitor_tags: readTags(sent, 'monitor_tags') }
    const input = { ...inputOf(value, held), ...tags }
    const saved = page === null ? await api.create(input) : await api.change(page.id, input)
    unsaved.settle()
    await changed(statusPagesKey, statusPageKey(saved.id))
    if (page === null) router.history.push(`/status-pages/${saved.id}`)
    toast(toldOf(saved))
  }
  const { draft, read } = useDraft(unsaved.form, { page, groups, accent })
  return (
    <BesideDraft draft={draft}>
      <div onInput={read} onChange={read}>
        <FormCard>
          <Form
            submit={page === null ? t`Create the page` : t`Save`}
            onSubmit={submit}
            isRoomy
            unsaved={unsaved}
            beside={
              page === null && (
                <ButtonLink to="/status-pages">
                  <Trans>Cancel</Trans>
                </ButtonLink>
              )
            }
          >
            <PageFields page={page} held={held} set={set} />
          </Form>
        </FormCard>
      </div>
      {page !== null && <PageImages page={page} />}
    </BesideDraft>
  )
}

type FieldsProps = { page: StatusPageRecord | null } & Pick<ReturnType<typeof useHeld>, 'held' | 'set'>

function PageFields({ page, held, set }: FieldsProps): ReactNode {
  const { slug, visibility, groups, accent } = held
  return (
    <>
      <FormPart title={t`About the page`}>
        <TextField name="title" label={t`Title`} defaultValue={page?.title ?? ''} autoComplete="off" />
        <AddressField slug={slug} initial={page?.slug ?? ''} pageId={page?.id ?? null} onChange={set.slug} />
        <AboutFields page={page} />
      </FormPart>
      <FormPart title={t`What it shows`}>
        <PageLayout groups={groups} onChange={set.groups} />
        <ByTagField held={page?.monitor_tags ?? []} />
      </FormPart>
      <FormPart title={t`How it looks`}>
        <LookFields page={page} accent={accent} onAccent={set.accent} />
      </FormPart>
      <FormPart title={t`Access`}>
        <VisibilityFields page={page} visibility={visibility} onChange={set.visibility} />
        <DomainField initial={page?.domain ?? ''} record={page?.domain_record ?? null} />
        <TagsField held={page?.tags ?? []} hint={t`Separated by commas. Members see them, readers do not.`} />
      </FormPart>
    </>
  )
}

/** People who give a monitor such a tag publish its name, which the hint says. */
function ByTagField({ held }: { held: readonly string[] }): ReactNode {
  return (
    <TagsField
      name="monitor_tags"
      label={t`And monitors with a tag`}
      held={held}
      hint={t`Separated by commas. Every monitor that gets such a tag is on the page from then on, under its own name: choose a tag that no one gives by accident.`}
    />
  )
}

/** What stands around the title. */
function AboutFields({ page }: { page: StatusPageRecord | null }): ReactNode {
  return (
    <>
      <AreaField
        name="description"
        label={t`Description`}
        hint={t`Below the title. Addresses become links.`}
        defaultValue={page?.description ?? ''}
        rows={3}
      />
      <TextField
        name="homepage"
        label={t`Your website`}
        hint={t`Where the title leads, if anywhere.`}
        placeholder="https://example.com"
        defaultValue={page?.homepage ?? ''}
        autoComplete="off"
      />
    </>
  )
}

type Held = {
  slug: string
  visibility: StatusPageRecord['visibility']
  groups: readonly Group[]
  accent: string
}

const isHeld = recordOf<Held>({
  slug: isText,
  visibility: oneOf(['public', 'password', 'draft']),
  groups: areGroups,
  accent: isText,
})

function inputOf(value: Values, { slug, visibility, groups, accent }: Held): Omit<Input, 'tags' | 'monitor_tags'> {
  const password = value('password')
  return {
    title: value('title'),
    slug,
    description: value('description'),
    homepage: textOrNull(value('homepage')),
    domain: textOrNull(value('domain')),
    ...looksOf(value, accent),
    visibility,
    sections: sectionsOf(groups),
    ...(password === '' ? {} : { password }),
  }
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}

function toldOf({ title, visibility }: StatusPageRecord): string {
  return visibility === 'draft'
    ? t`${title} is saved as a draft.`
    : t`${title} is saved. Readers see it within ten seconds.`
}

type VisibilityProps = {
  page: StatusPageRecord | null
  visibility: StatusPageRecord['visibility']
  onChange: (visibility: StatusPageRecord['visibility']) => void
}

export function VisibilityFields({ page, visibility, onChange }: VisibilityProps): ReactNode {
  return (
    <>
      <Fieldset name="visibility" legend={t`Who can read it`}>
        {visibilities.map(({ value, label, hint }) => (
          <label key={value} className="flex cursor-pointer items-start gap-2.5 py-1 text-sm">
            <input
              type="radio"
              name="visible_to"
              checked={value === visibility}
              onChange={() => onChange(value)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span>
              {i18n._(label)}
              {hint !== undefined && <span className="block text-muted">{i18n._(hint)}</span>}
            </span>
          </label>
        ))}
      </Fieldset>
      {visibility === 'password' && (
        <PasswordField
          name="password"
          label={t`Password of the page`}
          hint={
            page?.has_password === true
              ? t`One is set. A new one asks all readers again; leave it empty to keep it.`
              : t`8 characters or more. It is never shown again.`
          }
          autoComplete="new-password"
        />
      )}
    </>
  )
}

/** For viewers. */
export function StatusPageFacts({ page }: { page: StatusPageRecord }): ReactNode {
  return (
    <Section title={t`About`}>
      <Facts>
        <Fact term={t`Address`}>{page.url}</Fact>
        {page.domain !== null && (
          <Fact term={t`Domain`}>
            {page.domain} {page.domain_state === 'waiting' && t`(waiting for DNS)`}
          </Fact>
        )}
        {page.logo !== null && <Fact term={t`Logo`}>{page.logo.alt === '' ? t`Shown` : page.logo.alt}</Fact>}
        <Fact term={t`Read by`}>{i18n._(visibilityWords[page.visibility])}</Fact>
        {page.monitor_tags.length > 0 && <Fact term={t`Monitors tagged`}>{listed(page.monitor_tags)}</Fact>}
        {page.tags.length > 0 && <Fact term={t`Tags`}>{listed(page.tags)}</Fact>}
        {page.sections.map(({ name, monitors }) => (
          <Fact key={monitors[0]?.monitor_id ?? name} term={name === '' ? t`Monitors` : name}>
            {listed(monitors.map((placed) => placed.name ?? placed.monitor_name))}
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}
