import type { Fields } from './draft-store.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** What the fields of a form say, without what is secret: `hadSecrets` where something secret was typed. */
export function fieldsOf(form: HTMLFormElement): { fields: Fields; hadSecrets: boolean } {
  const fields: Record<string, string> = {}
  let hadSecrets = false
  for (const { name, field } of namedFields(form))
    if (isSecret(field)) hadSecrets ||= field.value !== ''
    else if (!isTicked(field)) fields[name] = field.value
    else if (field.checked) fields[name] = 'on'
  return { fields, hadSecrets }
}

/**
 * Has fields say something else, as if a person did it, so that whatever listens hears it. Returns the fields that do
 * now; those that are not there, or cannot say it, are left out.
 */
export function fillFields(form: HTMLFormElement, wanted: Fields): Element[] {
  return [...namedFields(form)].flatMap(({ name, field }) => {
    const value = wanted[name]
    return value !== undefined && !isSecret(field) && say(field, value) ? [field] : []
  })
}

/** The first one that is shown. */
export function firstField(form: HTMLFormElement): HTMLElement | undefined {
  return [...namedFields(form)].map(({ field }) => field).find((field) => field.checkVisibility())
}

/** What a person calls these fields, each once. */
export function labelsOf(form: HTMLFormElement, names: readonly string[]): string[] {
  const labels = [...namedFields(form)].flatMap(({ name, field }) => (names.includes(name) ? [labelOf(field)] : []))
  return [...new Set(labels.filter((label) => label !== ''))]
}

/** Some fields of a form share a name: their place tells them apart, and what they are worth those that are ticked. */
function* namedFields(form: HTMLFormElement): Generator<{ name: string; field: Field }> {
  const counts = new Map<string, number>()
  for (const field of form.elements) {
    if (!isField(field) || field.name === '' || field.disabled) continue
    const count = counts.get(field.name) ?? 0
    counts.set(field.name, count + 1)
    yield { name: isTicked(field) ? `=${field.name}=${worthOf(field, count)}` : `${field.name}#${count}`, field }
  }
}

const notTyped: ReadonlySet<string> = new Set(['button', 'submit', 'reset', 'image', 'hidden'])

/** Those that say nothing else are told apart by their place. */
function worthOf(field: HTMLInputElement, place: number): string {
  return field.hasAttribute('value') ? field.value : `#${place}`
}

function isField(element: Element): element is Field {
  if (element instanceof HTMLInputElement) return !notTyped.has(element.type)
  return element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement
}

function isTicked(field: Field): field is HTMLInputElement {
  return field.type === 'checkbox' || field.type === 'radio'
}

/** What `data-secret` stands at or around is never kept, and neither are passwords and files. */
function isSecret(field: Field): boolean {
  return field.type === 'password' || field.type === 'file' || field.closest('[data-secret]') !== null
}

function say(field: Field, value: string): boolean {
  if (isTicked(field)) return tick(field, value === 'on')
  if (field.value === value) return false
  if (field instanceof HTMLSelectElement) {
    if (![...field.options].some((option) => option.value === value)) return false
    field.value = value
  } else {
    // React hears of it only where the element's own setter, in which it listens, is passed by.
    const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
    Reflect.set(prototype, 'value', value, field)
  }
  field.dispatchEvent(new Event('input', { bubbles: true }))
  if (field instanceof HTMLSelectElement) field.dispatchEvent(new Event('change', { bubbles: true }))
  return true
}

/** Of buttons one is chosen, and the others follow. */
function tick(field: HTMLInputElement, isOn: boolean): boolean {
  if (field.checked === isOn || (field.type === 'radio' && !isOn)) return false
  field.click()
  return true
}

function labelOf(field: Field): string {
  const legend = field.closest('fieldset')?.querySelector('legend')?.textContent
  const label = isTicked(field) ? (legend ?? field.labels?.[0]?.textContent) : field.labels?.[0]?.textContent
  return (label ?? field.getAttribute('aria-label') ?? legend ?? '').trim()
}
