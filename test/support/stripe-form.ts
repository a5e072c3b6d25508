export type Form = { [name: string]: string | Form }

/** A body as Stripe takes it: `a[b][c]=d`. */
export function readForm(body: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(body)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''))
    const last = path.pop() ?? ''
    let inner = form
    for (const part of path) {
      const next = inner[part]
      const deeper = typeof next === 'object' ? next : {}
      inner[part] = deeper
      inner = deeper
    }
    inner[last] = value
  }
  return form
}

export function textAt(form: Form, ...path: string[]): string | undefined {
  let inner: string | Form | undefined = form
  for (const part of path) inner = typeof inner === 'object' ? inner[part] : undefined
  return typeof inner === 'string' ? inner : undefined
}
