// Variables of a collection, which its texts name as `{{name}}`.
import { ImportError, importLimits } from '#core/imports/imported.ts'
import { isSecretName } from '#core/imports/requests/secret-values.ts'
import { captureName, createStepSecrets, type StepSecrets } from '#core/imports/requests/transaction.ts'
import type { PostmanVariable } from './postman-rows.ts'

export type Values = ReadonlyMap<string, string>

export type Variables = {
  /** The text with the values of its variables. A name without one stays, and is added to `missing`. */
  fill: (text: string, missing: Set<string>) => string
  /** From now on a variable has what a step captures, under the name that is returned. */
  capture: (variable: string) => string
  /** Keeps a secret apart from the steps, and returns what stands for it; the secret where it cannot be kept. */
  seal: (name: string, value: string) => string
  /** The same where the name is that of a secret. */
  sealNamed: (name: string, value: string) => string
  secrets: StepSecrets['all']
}

/** Of all texts of a file together, so that variables which name each other many times over come to an end. */
export type FillingBudget = { left: number }

export function newBudget(): FillingBudget {
  return { left: importLimits.length }
}

const deepest = 10

/** Of one transaction, since what a request of another one captured is not there. */
export function createVariables(values: Values, budget: FillingBudget): Variables {
  const captured = new Map<string, string>()
  const taken = new Set<string>()
  const { seal: sealSecret, all: secrets } = createStepSecrets(taken)
  const seal = (name: string, value: string): string =>
    value === '' || value.includes('{{') ? value : (sealSecret(name, value) ?? value)
  const fill = (text: string, missing: Set<string>, depth = deepest): string =>
    text.replaceAll(/\{\{([^{}]{1,200})\}\}/g, (whole, inner: string) => {
      const name = inner.trim()
      const capture = captured.get(name)
      if (capture !== undefined) return `{{${capture}}}`
      const value = depth === 0 ? undefined : values.get(name)
      if (value === undefined) {
        missing.add(name)
        return whole
      }
      budget.left -= value.length + 1
      if (budget.left < 0) throw new ImportError('Its variables name each other too often.')
      return fill(value, missing, depth - 1)
    })
  return {
    fill: (text, missing) => fill(text, missing),
    capture: (variable) => {
      const name = captureName(variable, taken)
      captured.set(variable, name)
      return name
    },
    seal,
    sealNamed: (name, value) => (isSecretName(name) ? seal(name, value) : value),
    secrets,
  }
}

/** Those of an inner place take the place of outer ones with their names. */
export function withVariables(outer: Values, variables: readonly PostmanVariable[] | null | undefined): Values {
  if (!variables?.length) return outer
  const found = new Map(outer)
  for (const { key, id, value, disabled } of variables) {
    const name = key ?? id
    if (name !== null && !disabled) found.set(name, plainText(value))
  }
  return found
}

/** Postman writes values of every type as the text that it sends. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return ''
}

/** Encoded as a part of an address or a form, but for what stands for captures. */
export function encodeAround(text: string): string {
  return text
    .split(/(\{\{[A-Za-z]\w{0,39}\}\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodePart(part)))
    .join('')
}

function encodePart(part: string): string {
  return encodeURIComponent(part.toWellFormed())
}
