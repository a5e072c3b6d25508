import { type RefObject, useState } from 'react'
import type { StatusPageDraft, StatusPageRecord } from '../../api/status-pages.ts'
import type { Values } from '../../parts/form/form.tsx'
import { readTags } from '../../parts/form/tags-field.tsx'
import { type Group, sectionsOf } from './page-groups.ts'
import { looksOf } from './page-looks.tsx'

/** What the fields of the form say of the look of the page. */
type Typed = Pick<StatusPageDraft, 'title' | 'description' | 'monitor_tags'> & { value: Values }

/** What the form holds beside them. `page` is null for a new one. */
type Held = { page: StatusPageRecord | null; groups: readonly Group[]; accent: string }

/** The page that a form would make; `read` is called when a person typed or chose something in it. */
export function useDraft(
  form: RefObject<HTMLFormElement | null>,
  { page, groups, accent }: Held,
): { draft: StatusPageDraft; read: () => void } {
  const [{ value, ...shown }, setTyped] = useState(() => typedOf(page))
  const read = (): void => setTyped((before) => (form.current === null ? before : typedIn(form.current)))
  return { draft: { page: page?.id ?? null, ...shown, ...looksOf(value, accent), sections: sectionsOf(groups) }, read }
}

/** As the form says it before anything is typed. */
function typedOf(page: StatusPageRecord | null): Typed {
  const { title = '', description = '', monitor_tags = [] } = page ?? {}
  const value = (name: string): string => {
    if (name === 'response_charts') return page?.response_charts === false ? '' : 'on'
    if (name === 'layout' || name === 'history' || name === 'theme' || name === 'language') return page?.[name] ?? ''
    return ''
  }
  return { title, description, monitor_tags, value }
}

function typedIn(form: HTMLFormElement): Typed {
  const sent = new FormData(form)
  const value = (name: string): string => {
    const found = sent.get(name)
    return typeof found === 'string' ? found : ''
  }
  return {
    title: value('title'),
    description: value('description'),
    monitor_tags: readTags(sent, 'monitor_tags'),
    value,
  }
}
