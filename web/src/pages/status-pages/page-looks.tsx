import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Accent, StatusPageForm, StatusPageRecord } from '../../api/status-pages.ts'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import type { Values } from '../../parts/form/form.tsx'
import { CheckField } from '../../parts/schema/fieldset.tsx'
import { useSettled } from '../../parts/settled.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { useStatusPagesApi } from './page-api.ts'

type Choice<T extends string> = readonly { value: T; label: MessageDescriptor }[]

const themes: Choice<StatusPageRecord['theme']> = [
  { value: 'auto', label: msg`As the reader's system` },
  { value: 'light', label: msg`Light` },
  { value: 'dark', label: msg`Dark` },
]
const languages: readonly StatusPageRecord['language'][] = ['auto', 'en', 'de', 'fr', 'es', 'pt', 'ja']
const histories: Choice<StatusPageRecord['history']> = [
  { value: '90_days', label: msg`90 days` },
  { value: 'whole', label: msg`The whole history, by weeks or months` },
]
const layouts: Choice<StatusPageRecord['layout']> = [
  { value: 'list', label: msg`A list, with response times` },
  { value: 'compact', label: msg`A compact grid` },
]

function optionsOf<T extends string>(choice: Choice<T>): { value: T; label: string }[] {
  return choice.map(({ value, label }) => ({ value, label: i18n._(label) }))
}

type LookProps = { page: StatusPageRecord | null; accent: string; onAccent: (accent: string) => void }

function LanguageField({ page }: { page: StatusPageRecord | null }): ReactNode {
  return (
    <SelectField
      name="language"
      label={t`Language`}
      hint={t`For the page and its mails, except what you write yourself. Readers can choose another one at the bottom of the page.`}
      defaultValue={page?.language ?? 'en'}
      options={languages.map((value) => ({
        value,
        label: value === 'auto' ? t`As the reader's browser` : ownName(value),
      }))}
    />
  )
}

/** What its speakers call a language, as it stands at the beginning of a line. */
function ownName(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** The language, how much of the past is shown, and in which form and colours. */
export function LookFields({ page, accent, onAccent }: LookProps): ReactNode {
  return (
    <>
      <LanguageField page={page} />
      <SelectField
        name="layout"
        label={t`Layout`}
        hint={t`The grid stays short even with many monitors, and shows no response times.`}
        defaultValue={page?.layout ?? 'list'}
        options={optionsOf(layouts)}
      />
      <SelectField
        name="history"
        label={t`Bars show`}
        defaultValue={page?.history ?? '90_days'}
        options={optionsOf(histories)}
      />
      <CheckField
        name="response_charts"
        label={t`Show response times`}
        hint={t`For the last 24 hours, for monitors whose charts show them.`}
        defaultChecked={page?.response_charts ?? true}
      />
      <SelectField name="theme" label={t`Colours`} defaultValue={page?.theme ?? 'auto'} options={optionsOf(themes)} />
      <AccentField accent={accent} onChange={onAccent} />
    </>
  )
}

type Looks = Pick<StatusPageForm, 'language' | 'layout' | 'history' | 'response_charts' | 'theme' | 'accent'>

export function looksOf(value: Values, accent: string): Looks {
  return {
    language: languages.find((language) => language === value('language')) ?? 'en',
    layout: layouts.find((layout) => layout.value === value('layout'))?.value ?? 'list',
    history: histories.find((history) => history.value === value('history'))?.value ?? '90_days',
    response_charts: value('response_charts') !== '',
    theme: themes.find((theme) => theme.value === value('theme'))?.value ?? 'auto',
    accent: accent.trim() === '' ? null : accent.trim(),
  }
}

const colourForm = /^#[\da-f]{6}$/i
/** The accent of a page that has none of its own, which is where a person begins to choose. */
const usualAccent = '#1558c0'

function AccentField({ accent, onChange }: { accent: string; onChange: (accent: string) => void }): ReactNode {
  const isColour = colourForm.test(accent)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            name="accent"
            label={t`Accent colour`}
            hint={t`For links and the button. Leave it empty for the usual blue.`}
            placeholder={usualAccent}
            value={accent}
            maxLength={7}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        </div>
        <input
          type="color"
          aria-label={t`Pick the accent colour`}
          value={isColour ? accent.toLowerCase() : usualAccent}
          onChange={(event) => onChange(event.currentTarget.value)}
          className="mt-6 h-9 w-12 cursor-pointer rounded-lg border border-edge bg-surface p-1"
        />
      </div>
      {isColour && <AccentShades accent={accent} />}
    </div>
  )
}

function AccentShades({ accent }: { accent: string }): ReactNode {
  const api = useStatusPagesApi()
  const { workspace } = useWorkspace()
  const asked = useSettled(accent, 200)
  const { data } = useQuery({
    queryKey: ['workspace', workspace.id, 'status-accent', asked],
    queryFn: () => api.checkAccent(asked),
    retry: false,
  })
  return (
    <div role="status" className="flex min-h-13 flex-col gap-1 text-sm">
      {data !== undefined && asked === accent && (
        <>
          <Shade name={t`On light`} accent={data.light} />
          <Shade name={t`On dark`} accent={data.dark} />
        </>
      )}
    </div>
  )
}

function Shade({ name, accent }: { name: string; accent: Accent }): ReactNode {
  const { ground, colour, contrast, is_as_chosen: isAsChosen } = accent
  return (
    <p className="flex items-center gap-2">
      <span
        aria-hidden="true"
        style={{ backgroundColor: ground, color: colour }}
        className="rounded-md border border-line px-2 font-medium underline"
      >
        {t`Link`}
      </span>
      <span className={isAsChosen ? 'text-muted' : 'text-warn'}>
        {isAsChosen
          ? t`${name}: your colour, with a contrast of ${contrast}:1.`
          : t`${name}: ${colour}, the nearest that can be read (${contrast}:1). Yours has less than 4.5:1.`}
      </span>
    </p>
  )
}
