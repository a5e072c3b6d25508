import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { StatusPageForm as Input, StatusPageRecord } from '../api/status-pages.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Fact, Facts } from '../parts/facts.tsx'
import { AreaField, PasswordField, SelectField, TextField } from '../parts/field.tsx'
import { Form, type Values } from '../parts/form.tsx'
import { Section } from '../parts/page.tsx'
import { CheckField, Fieldset } from '../parts/schema/fieldset.tsx'
import { useToast } from '../parts/toast.tsx'
import { useChanged } from '../workspace.tsx'
import { AddressField, DomainField } from './status-page-address.tsx'
import { statusPageKey, statusPagesKey, useStatusPagesApi } from './status-page-api.ts'
import { type Group, groupsOf, sectionsOf, withGroup } from './status-page-groups.ts'
import { PageLayout } from './status-page-layout.tsx'
import { visibilityWords } from './status-page-words.ts'

type Choice<T extends string> = readonly { value: T; label: string; hint?: string }[]

const themes: Choice<StatusPageRecord['theme']> = [
  { value: 'auto', label: "As the reader's system" },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
const histories: Choice<StatusPageRecord['history']> = [
  { value: '90_days', label: '90 days' },
  { value: 'whole', label: 'The whole history, by weeks or months' },
]
const visibilities: Choice<StatusPageRecord['visibility']> = [
  { value: 'public', label: 'Everybody reads it' },
  { value: 'password', label: 'Whoever knows a password reads it' },
  { value: 'draft', label: 'A draft', hint: 'Nobody reads it, at any address.' },
]

/** Null for what is new. */
export function StatusPageForm({ page }: { page: StatusPageRecord | null }): ReactNode {
  const api = useStatusPagesApi()
  const changed = useChanged()
  const router = useRouter()
  const toast = useToast()
  const [slug, setSlug] = useState(page?.slug ?? '')
  const [visibility, setVisibility] = useState(page?.visibility ?? 'public')
  const [groups, setGroups] = useState<Group[]>(() => (page === null ? withGroup([]) : groupsOf(page.sections)))
  const submit = async (value: Values): Promise<void> => {
    const input = inputOf(value, { slug, visibility, groups })
    const saved = page === null ? await api.create(input) : await api.change(page.id, input)
    await changed(statusPagesKey, statusPageKey(saved.id))
    if (page === null) router.history.push(`/status-pages/${saved.id}`)
    toast(toldOf(saved))
  }
  return (
    <Form
      submit={page === null ? 'Make the page' : 'Save'}
      onSubmit={submit}
      isRoomy
      {...(page === null ? { beside: <ButtonLink to="/status-pages">Cancel</ButtonLink> } : {})}
    >
      <TextField name="title" label="Title" defaultValue={page?.title ?? ''} autoComplete="off" />
      <AddressField slug={slug} initial={page?.slug ?? ''} pageId={page?.id ?? null} onChange={setSlug} />
      <AreaField
        name="description"
        label="Description"
        hint="Below the title. Addresses become links."
        defaultValue={page?.description ?? ''}
        rows={3}
      />
      <TextField
        name="homepage"
        label="Your website"
        hint="Where the title leads, if anywhere."
        placeholder="https://example.com"
        defaultValue={page?.homepage ?? ''}
        autoComplete="off"
      />
      <PageLayout groups={groups} onChange={setGroups} />
      <SelectField name="history" label="Bars show" defaultValue={page?.history ?? '90_days'} options={histories} />
      <CheckField
        name="response_charts"
        label="Show response times"
        hint="Of the last 24 hours, of monitors whose charts have them."
        defaultChecked={page?.response_charts ?? true}
      />
      <SelectField name="theme" label="Colours" defaultValue={page?.theme ?? 'auto'} options={themes} />
      <VisibilityFields page={page} visibility={visibility} onChange={setVisibility} />
      <DomainField initial={page?.domain ?? ''} />
    </Form>
  )
}

type Held = { slug: string; visibility: StatusPageRecord['visibility']; groups: readonly Group[] }

function inputOf(value: Values, { slug, visibility, groups }: Held): Input {
  const password = value('password')
  return {
    title: value('title'),
    slug,
    description: value('description'),
    homepage: textOrNull(value('homepage')),
    domain: textOrNull(value('domain')),
    theme: themes.find((theme) => theme.value === value('theme'))?.value ?? 'auto',
    history: histories.find((history) => history.value === value('history'))?.value ?? '90_days',
    response_charts: value('response_charts') !== '',
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
    ? `${title} is saved as a draft.`
    : `${title} is saved. Readers see it within ten seconds.`
}

type VisibilityProps = {
  page: StatusPageRecord | null
  visibility: StatusPageRecord['visibility']
  onChange: (visibility: StatusPageRecord['visibility']) => void
}

function VisibilityFields({ page, visibility, onChange }: VisibilityProps): ReactNode {
  return (
    <>
      <Fieldset name="visibility" legend="Who reads it">
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
              {label}
              {hint !== undefined && <span className="block text-muted">{hint}</span>}
            </span>
          </label>
        ))}
      </Fieldset>
      {visibility === 'password' && (
        <PasswordField
          name="password"
          label="Password of the page"
          hint={
            page?.has_password === true
              ? 'One is set. Another one asks all readers again; empty keeps it.'
              : '8 characters or more. It is never shown again.'
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
    <Section title="About">
      <Facts>
        <Fact term="Address">{page.url}</Fact>
        {page.domain !== null && <Fact term="Domain">{page.domain}</Fact>}
        <Fact term="Read by">{visibilityWords[page.visibility]}</Fact>
        {page.sections.map(({ name, monitors }) => (
          <Fact key={monitors[0]?.monitor_id ?? name} term={name === '' ? 'Monitors' : name}>
            {monitors.map((placed) => placed.name ?? placed.monitor_name).join(', ')}
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}
