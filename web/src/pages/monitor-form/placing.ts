import type { Fields } from '../../api/ask.ts'
import { statusFieldOf } from '../../parts/schema/status-codes.ts'

/** Problems at the fields that the form has: what is of a part of one stands at the whole. */
export function placeProblems(form: HTMLFormElement | null, problems: Fields): { fields: Fields; isWhole: boolean } {
  const fields: Record<string, string[]> = {}
  let isWhole = Object.keys(problems).length > 0
  for (const [name, texts] of Object.entries(problems)) {
    const place = placeOf(form, name)
    if (place === null) isWhole = false
    else (fields[place.name] ??= []).push(...texts.map((text) => place.rest + text))
  }
  return { fields, isWhole }
}

/** `rest` says which part, where the field is of several. */
function placeOf(form: HTMLFormElement | null, name: string): { name: string; rest: string } | null {
  const parts = statusFieldOf(name).split('.')
  for (let length = parts.length; length > 0; length -= 1) {
    const place = parts.slice(0, length).join('.')
    const rest = parts.slice(length).join('.')
    if (elementOf(form, place) !== null) return { name: place, rest: rest === '' ? '' : `${rest}: ` }
  }
  return null
}

function elementOf(form: HTMLFormElement | null, name: string): HTMLElement | null {
  const found = form?.elements.namedItem(name) ?? null
  if (found instanceof HTMLElement) return found
  const first = found instanceof RadioNodeList ? found[0] : null
  return first instanceof HTMLElement ? first : null
}

/** Unfolds what hides the first of these fields, and goes there. */
export function revealFirst(form: HTMLFormElement | null, names: readonly string[]): void {
  const elements = names.map((name) => elementOf(form, name)).filter((element) => element !== null)
  const [first] = elements.toSorted((one, other) =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) === 0 ? 1 : -1,
  )
  if (first === undefined) return
  for (
    let folded = first.closest('details');
    folded !== null;
    folded = folded.parentElement?.closest('details') ?? null
  )
    folded.open = true
  const input = first instanceof HTMLFieldSetElement ? first.querySelector<HTMLElement>('input, select, button') : first
  input?.focus()
}
